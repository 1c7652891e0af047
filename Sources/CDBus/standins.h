// The part of libdbus-1's interface that the Swift side uses, for building where its header is not installed. The types
// are shaped as the library's are so that the same Swift source compiles; the functions do nothing and are never called.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef uint32_t dbus_bool_t;
typedef uint32_t dbus_uint32_t;
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef struct DBusWatch DBusWatch;
typedef struct { void *first; void *second; } DBusMessageIter;
typedef struct { const char *name; const char *message; void *other; } DBusError;

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

#define BLUECAP_STANDIN(type, name, arguments, result) static inline type name arguments { return result; }
#define BLUECAP_STANDIN_VOID(name, arguments) static inline void name arguments {}

#define M DBusMessage *message
#define I DBusMessageIter *iterator
#define C DBusConnection *connection

BLUECAP_STANDIN(dbus_bool_t, dbus_threads_init_default, (void), 0)
BLUECAP_STANDIN_VOID(dbus_free, (void *memory))
BLUECAP_STANDIN_VOID(dbus_error_init, (DBusError *error))
BLUECAP_STANDIN_VOID(dbus_error_free, (DBusError *error))

BLUECAP_STANDIN(DBusConnection *, dbus_connection_open_private, (const char *address, DBusError *error), NULL)
BLUECAP_STANDIN(DBusConnection *, dbus_connection_ref, (C), connection)
BLUECAP_STANDIN_VOID(dbus_connection_unref, (C))
BLUECAP_STANDIN_VOID(dbus_connection_close, (C))
BLUECAP_STANDIN_VOID(dbus_connection_set_change_sigpipe, (dbus_bool_t change))
BLUECAP_STANDIN_VOID(dbus_connection_set_exit_on_disconnect, (C, dbus_bool_t exits))
BLUECAP_STANDIN_VOID(dbus_connection_set_max_message_size, (C, long size))
BLUECAP_STANDIN(dbus_bool_t, dbus_connection_can_send_type, (C, int type), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_connection_send, (C, M, dbus_uint32_t *serial), 0)
BLUECAP_STANDIN(DBusDispatchStatus, dbus_connection_dispatch, (C), DBUS_DISPATCH_COMPLETE)
BLUECAP_STANDIN(dbus_bool_t, dbus_connection_add_filter,
    (C, DBusHandleMessageFunction function, void *data, DBusFreeFunction free), 0)
BLUECAP_STANDIN_VOID(dbus_connection_remove_filter, (C, DBusHandleMessageFunction function, void *data))
BLUECAP_STANDIN(dbus_bool_t, dbus_connection_set_watch_functions,
    (C, DBusAddWatchFunction add, DBusRemoveWatchFunction remove, DBusWatchToggledFunction toggled, void *data,
        DBusFreeFunction free), 0)
BLUECAP_STANDIN_VOID(dbus_connection_set_dispatch_status_function,
    (C, DBusDispatchStatusFunction function, void *data, DBusFreeFunction free))
BLUECAP_STANDIN(dbus_bool_t, dbus_bus_set_unique_name, (C, const char *name), 0)

BLUECAP_STANDIN(dbus_bool_t, dbus_watch_get_enabled, (DBusWatch *watch), 0)
BLUECAP_STANDIN(unsigned int, dbus_watch_get_flags, (DBusWatch *watch), 0)
BLUECAP_STANDIN(int, dbus_watch_get_unix_fd, (DBusWatch *watch), -1)
BLUECAP_STANDIN(dbus_bool_t, dbus_watch_handle, (DBusWatch *watch, unsigned int flags), 0)

BLUECAP_STANDIN(DBusMessage *, dbus_message_new_method_call,
    (const char *destination, const char *path, const char *interface, const char *member), NULL)
BLUECAP_STANDIN(DBusMessage *, dbus_message_new_signal,
    (const char *path, const char *interface, const char *member), NULL)
BLUECAP_STANDIN(DBusMessage *, dbus_message_new_method_return, (M), NULL)
BLUECAP_STANDIN(DBusMessage *, dbus_message_new_error, (M, const char *name, const char *text), NULL)
BLUECAP_STANDIN(DBusMessage *, dbus_message_copy, (const DBusMessage *message), NULL)
BLUECAP_STANDIN(DBusMessage *, dbus_message_ref, (M), message)
BLUECAP_STANDIN_VOID(dbus_message_unref, (M))
BLUECAP_STANDIN_VOID(dbus_message_lock, (M))
BLUECAP_STANDIN(int, dbus_message_get_type, (M), 0)
BLUECAP_STANDIN(dbus_uint32_t, dbus_message_get_serial, (M), 0)
BLUECAP_STANDIN(dbus_uint32_t, dbus_message_get_reply_serial, (M), 0)
BLUECAP_STANDIN(const char *, dbus_message_get_path, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_interface, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_member, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_error_name, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_destination, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_sender, (M), NULL)
BLUECAP_STANDIN(const char *, dbus_message_get_signature, (M), NULL)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_get_no_reply, (M), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_contains_unix_fds, (M), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_is_signal, (M, const char *interface, const char *name), 0)
BLUECAP_STANDIN_VOID(dbus_message_set_auto_start, (M, dbus_bool_t starts))
BLUECAP_STANDIN_VOID(dbus_message_set_no_reply, (M, dbus_bool_t silent))
BLUECAP_STANDIN(dbus_bool_t, dbus_message_set_destination, (M, const char *destination), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_marshal, (M, char **bytes, int *count), 0)

BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_init, (M, I), 0)
BLUECAP_STANDIN_VOID(dbus_message_iter_init_append, (M, I))
BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_next, (I), 0)
BLUECAP_STANDIN(int, dbus_message_iter_get_arg_type, (I), 0)
BLUECAP_STANDIN(int, dbus_message_iter_get_element_type, (I), 0)
BLUECAP_STANDIN(char *, dbus_message_iter_get_signature, (I), NULL)
BLUECAP_STANDIN_VOID(dbus_message_iter_get_basic, (I, void *value))
BLUECAP_STANDIN_VOID(dbus_message_iter_get_fixed_array, (I, void *start, int *count))
BLUECAP_STANDIN_VOID(dbus_message_iter_recurse, (I, DBusMessageIter *inner))
BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_append_basic, (I, int type, const void *value), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_append_fixed_array,
    (I, int type, const void *start, int count), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_open_container,
    (I, int type, const char *signature, DBusMessageIter *inner), 0)
BLUECAP_STANDIN(dbus_bool_t, dbus_message_iter_close_container, (I, DBusMessageIter *inner), 0)
BLUECAP_STANDIN_VOID(dbus_message_iter_abandon_container, (I, DBusMessageIter *inner))

#undef M
#undef I
#undef C
#undef BLUECAP_STANDIN
#undef BLUECAP_STANDIN_VOID
