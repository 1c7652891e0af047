// The types and constants of libdbus-1 that the functions of functions.h take and give, in the library's layout, which has
// not changed since libdbus-1.so.3. `.ci/run` compares them with the library's own header.
#pragma once

typedef uint32_t dbus_bool_t;
typedef uint32_t dbus_uint32_t;
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef struct DBusWatch DBusWatch;

typedef struct DBusMessageIter {
    void *first, *second;
    uint32_t numbers[10];
    void *third, *fourth;
} DBusMessageIter;

typedef struct DBusError {
    const char *name;
    const char *message;
    uint32_t flags;
    void *reserved;
} DBusError;

typedef enum { DBUS_HANDLER_RESULT_HANDLED, DBUS_HANDLER_RESULT_NOT_YET_HANDLED } DBusHandlerResult;
typedef enum { DBUS_DISPATCH_DATA_REMAINS, DBUS_DISPATCH_COMPLETE } DBusDispatchStatus;
typedef enum { DBUS_WATCH_READABLE = 1, DBUS_WATCH_WRITABLE = 2, DBUS_WATCH_HANGUP = 8 } DBusWatchFlags;

#define DBUS_MESSAGE_TYPE_METHOD_CALL 1
#define DBUS_MESSAGE_TYPE_METHOD_RETURN 2
#define DBUS_MESSAGE_TYPE_ERROR 3
#define DBUS_MESSAGE_TYPE_SIGNAL 4

typedef void (*DBusFreeFunction)(void *memory);
typedef dbus_bool_t (*DBusAddWatchFunction)(DBusWatch *watch, void *data);
typedef void (*DBusRemoveWatchFunction)(DBusWatch *watch, void *data);
typedef void (*DBusWatchToggledFunction)(DBusWatch *watch, void *data);
typedef void (*DBusDispatchStatusFunction)(DBusConnection *connection, DBusDispatchStatus status, void *data);
typedef DBusHandlerResult (*DBusHandleMessageFunction)(DBusConnection *connection, DBusMessage *message, void *data);
