// Compiles only if Sources/CDBus declares libdbus-1 as the library's own header does.
#include <dbus/dbus.h>
#include <stddef.h>
#include <stdint.h>

#define BLUECAP_DBUS(type, name, parameters, arguments) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&name), type (*) parameters), #name);
#include "../Sources/CDBus/include/functions.h"

// Types may be declared twice if both are the same. Under other names, what has a layout or a value.
enum {
    handled = DBUS_HANDLER_RESULT_HANDLED, not_yet_handled = DBUS_HANDLER_RESULT_NOT_YET_HANDLED,
    data_remains = DBUS_DISPATCH_DATA_REMAINS, complete = DBUS_DISPATCH_COMPLETE,
    readable = DBUS_WATCH_READABLE, writable = DBUS_WATCH_WRITABLE, hangup = DBUS_WATCH_HANGUP,
    call = DBUS_MESSAGE_TYPE_METHOD_CALL, reply = DBUS_MESSAGE_TYPE_METHOD_RETURN,
    error = DBUS_MESSAGE_TYPE_ERROR, signal = DBUS_MESSAGE_TYPE_SIGNAL
};
#undef DBUS_MESSAGE_TYPE_METHOD_CALL
#undef DBUS_MESSAGE_TYPE_METHOD_RETURN
#undef DBUS_MESSAGE_TYPE_ERROR
#undef DBUS_MESSAGE_TYPE_SIGNAL
#define DBusMessageIter OurIterator
#define DBusError OurError
#define DBusHandlerResult OurHandlerResult
#define DBusDispatchStatus OurDispatchStatus
#define DBusWatchFlags OurWatchFlags
#define DBusDispatchStatusFunction OurDispatchStatusFunction
#define DBusHandleMessageFunction OurHandleMessage
#define DBUS_HANDLER_RESULT_HANDLED OUR_HANDLED
#define DBUS_HANDLER_RESULT_NOT_YET_HANDLED OUR_NOT_YET_HANDLED
#define DBUS_DISPATCH_DATA_REMAINS OUR_DATA_REMAINS
#define DBUS_DISPATCH_COMPLETE OUR_COMPLETE
#define DBUS_WATCH_READABLE OUR_READABLE
#define DBUS_WATCH_WRITABLE OUR_WRITABLE
#define DBUS_WATCH_HANGUP OUR_HANGUP
#include "../Sources/CDBus/include/types.h"
#undef DBusMessageIter
#undef DBusError
#undef DBusDispatchStatus
#undef DBusHandlerResult
#undef DBusDispatchStatusFunction
#undef DBusHandleMessageFunction

_Static_assert(sizeof(OurIterator) == sizeof(DBusMessageIter) && _Alignof(OurIterator) == _Alignof(DBusMessageIter), "iterator");
_Static_assert(sizeof(OurError) == sizeof(DBusError) && _Alignof(OurError) == _Alignof(DBusError), "error");
_Static_assert(offsetof(OurError, name) == offsetof(DBusError, name), "name");
_Static_assert(offsetof(OurError, message) == offsetof(DBusError, message), "message");
_Static_assert(OUR_HANDLED == handled && OUR_NOT_YET_HANDLED == not_yet_handled, "results");
_Static_assert(OUR_DATA_REMAINS == data_remains && OUR_COMPLETE == complete, "statuses");
_Static_assert(OUR_READABLE == readable && OUR_WRITABLE == writable && OUR_HANGUP == hangup, "flags");
_Static_assert(DBUS_MESSAGE_TYPE_METHOD_CALL == call && DBUS_MESSAGE_TYPE_METHOD_RETURN == reply, "types");
_Static_assert(DBUS_MESSAGE_TYPE_ERROR == error && DBUS_MESSAGE_TYPE_SIGNAL == signal, "types");
_Static_assert(sizeof(OurHandlerResult) == sizeof(DBusHandlerResult), "results");
_Static_assert(sizeof(OurDispatchStatus) == sizeof(DBusDispatchStatus), "statuses");

// The parameters of the callbacks whose enumerations are ours.
static DBusHandlerResult handle(DBusConnection *connection, DBusMessage *message, void *data);
static void dispatch(DBusConnection *connection, DBusDispatchStatus status, void *data);
_Static_assert(__builtin_types_compatible_p(__typeof__(&handle), DBusHandleMessageFunction), "handler");
_Static_assert(__builtin_types_compatible_p(__typeof__(&dispatch), DBusDispatchStatusFunction), "dispatch");
