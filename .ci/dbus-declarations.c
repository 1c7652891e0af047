// Compiles only if Sources/CDBus declares libdbus-1 as the library's own header does.
#include <dbus/dbus.h>
#include <stddef.h>
#include <stdint.h>

#define BLUECAP_DBUS(type, name, parameters, arguments) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&name), type (*) parameters), #name);
#include "../Sources/CDBus/include/functions.h"

// Under other names, what has a layout or a value.
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
#define dbus_bool_t our_bool
#define dbus_uint32_t our_uint32
#define DBusConnection OurConnection
#define DBusMessage OurMessage
#define DBusMessageIter OurIterator
#define DBusWatch OurWatch
#define DBusError OurError
#define DBusHandlerResult OurHandlerResult
#define DBusDispatchStatus OurDispatchStatus
#define DBusWatchFlags OurWatchFlags
#define DBusFreeFunction OurFree
#define DBusAddWatchFunction OurAddWatch
#define DBusRemoveWatchFunction OurRemoveWatch
#define DBusWatchToggledFunction OurWatchToggled
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

_Static_assert(sizeof(OurIterator) == sizeof(DBusMessageIter) && _Alignof(OurIterator) == _Alignof(DBusMessageIter), "iterator");
_Static_assert(sizeof(OurError) == sizeof(DBusError) && _Alignof(OurError) == _Alignof(DBusError), "error");
_Static_assert(offsetof(OurError, name) == offsetof(DBusError, name), "name");
_Static_assert(offsetof(OurError, message) == offsetof(DBusError, message), "message");
_Static_assert(OUR_HANDLED == handled && OUR_NOT_YET_HANDLED == not_yet_handled, "results");
_Static_assert(OUR_DATA_REMAINS == data_remains && OUR_COMPLETE == complete, "statuses");
_Static_assert(OUR_READABLE == readable && OUR_WRITABLE == writable && OUR_HANGUP == hangup, "flags");
_Static_assert(DBUS_MESSAGE_TYPE_METHOD_CALL == call && DBUS_MESSAGE_TYPE_METHOD_RETURN == reply, "types");
_Static_assert(DBUS_MESSAGE_TYPE_ERROR == error && DBUS_MESSAGE_TYPE_SIGNAL == signal, "types");
