// The functions of libdbus-1 that are used: BLUECAP_DBUS(type, name, parameters, arguments) for each, as whoever includes this
// defines it.
#define CONNECTION DBusConnection *connection
#define WATCH DBusWatch *watch
#define MESSAGE DBusMessage *message
#define ITERATOR DBusMessageIter *iterator

BLUECAP_DBUS(dbus_bool_t, dbus_threads_init_default, (void), ())
BLUECAP_DBUS(void, dbus_free, (void *memory), (memory))
BLUECAP_DBUS(void, dbus_error_init, (DBusError *error), (error))
BLUECAP_DBUS(void, dbus_error_free, (DBusError *error), (error))

BLUECAP_DBUS(DBusConnection *, dbus_connection_open_private, (const char *address, DBusError *error), (address, error))
BLUECAP_DBUS(DBusConnection *, dbus_connection_ref, (CONNECTION), (connection))
BLUECAP_DBUS(void, dbus_connection_unref, (CONNECTION), (connection))
BLUECAP_DBUS(void, dbus_connection_close, (CONNECTION), (connection))
BLUECAP_DBUS(void, dbus_connection_set_change_sigpipe, (dbus_bool_t change), (change))
BLUECAP_DBUS(void, dbus_connection_set_exit_on_disconnect, (CONNECTION, dbus_bool_t exits), (connection, exits))
BLUECAP_DBUS(void, dbus_connection_set_max_message_size, (CONNECTION, long size), (connection, size))
BLUECAP_DBUS(dbus_bool_t, dbus_connection_can_send_type, (CONNECTION, int type), (connection, type))
BLUECAP_DBUS(dbus_bool_t, dbus_connection_send, (CONNECTION, MESSAGE, dbus_uint32_t *serial), (connection, message, serial))
BLUECAP_DBUS(DBusDispatchStatus, dbus_connection_dispatch, (CONNECTION), (connection))
BLUECAP_DBUS(dbus_bool_t, dbus_connection_add_filter,
    (CONNECTION, DBusHandleMessageFunction function, void *data, DBusFreeFunction free),
    (connection, function, data, free))
BLUECAP_DBUS(void, dbus_connection_remove_filter,
    (CONNECTION, DBusHandleMessageFunction function, void *data), (connection, function, data))
BLUECAP_DBUS(dbus_bool_t, dbus_connection_set_watch_functions,
    (CONNECTION, DBusAddWatchFunction add, DBusRemoveWatchFunction remove, DBusWatchToggledFunction toggled, void *data,
        DBusFreeFunction free),
    (connection, add, remove, toggled, data, free))
BLUECAP_DBUS(void, dbus_connection_set_dispatch_status_function,
    (CONNECTION, DBusDispatchStatusFunction function, void *data, DBusFreeFunction free),
    (connection, function, data, free))
BLUECAP_DBUS(dbus_bool_t, dbus_bus_set_unique_name, (CONNECTION, const char *name), (connection, name))

BLUECAP_DBUS(dbus_bool_t, dbus_watch_get_enabled, (WATCH), (watch))
BLUECAP_DBUS(unsigned int, dbus_watch_get_flags, (WATCH), (watch))
BLUECAP_DBUS(int, dbus_watch_get_unix_fd, (WATCH), (watch))
BLUECAP_DBUS(dbus_bool_t, dbus_watch_handle, (WATCH, unsigned int flags), (watch, flags))

BLUECAP_DBUS(DBusMessage *, dbus_message_new_method_call,
    (const char *destination, const char *path, const char *interface, const char *member),
    (destination, path, interface, member))
BLUECAP_DBUS(DBusMessage *, dbus_message_new_signal,
    (const char *path, const char *interface, const char *member), (path, interface, member))
BLUECAP_DBUS(DBusMessage *, dbus_message_new_method_return, (MESSAGE), (message))
BLUECAP_DBUS(DBusMessage *, dbus_message_new_error,
    (MESSAGE, const char *name, const char *text), (message, name, text))
BLUECAP_DBUS(DBusMessage *, dbus_message_copy, (const DBusMessage *message), (message))
BLUECAP_DBUS(DBusMessage *, dbus_message_ref, (MESSAGE), (message))
BLUECAP_DBUS(void, dbus_message_unref, (MESSAGE), (message))
BLUECAP_DBUS(void, dbus_message_lock, (MESSAGE), (message))
BLUECAP_DBUS(int, dbus_message_get_type, (MESSAGE), (message))
BLUECAP_DBUS(dbus_uint32_t, dbus_message_get_serial, (MESSAGE), (message))
BLUECAP_DBUS(dbus_uint32_t, dbus_message_get_reply_serial, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_path, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_interface, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_member, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_error_name, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_destination, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_sender, (MESSAGE), (message))
BLUECAP_DBUS(const char *, dbus_message_get_signature, (MESSAGE), (message))
BLUECAP_DBUS(dbus_bool_t, dbus_message_get_no_reply, (MESSAGE), (message))
BLUECAP_DBUS(dbus_bool_t, dbus_message_contains_unix_fds, (MESSAGE), (message))
BLUECAP_DBUS(dbus_bool_t, dbus_message_is_signal,
    (MESSAGE, const char *interface, const char *name), (message, interface, name))
BLUECAP_DBUS(void, dbus_message_set_auto_start, (MESSAGE, dbus_bool_t starts), (message, starts))
BLUECAP_DBUS(void, dbus_message_set_no_reply, (MESSAGE, dbus_bool_t silent), (message, silent))
BLUECAP_DBUS(dbus_bool_t, dbus_message_set_destination, (MESSAGE, const char *destination), (message, destination))
BLUECAP_DBUS(dbus_bool_t, dbus_message_marshal, (MESSAGE, char **bytes, int *count), (message, bytes, count))

BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_init, (MESSAGE, ITERATOR), (message, iterator))
BLUECAP_DBUS(void, dbus_message_iter_init_append, (MESSAGE, ITERATOR), (message, iterator))
BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_next, (ITERATOR), (iterator))
BLUECAP_DBUS(int, dbus_message_iter_get_arg_type, (ITERATOR), (iterator))
BLUECAP_DBUS(int, dbus_message_iter_get_element_type, (ITERATOR), (iterator))
BLUECAP_DBUS(char *, dbus_message_iter_get_signature, (ITERATOR), (iterator))
BLUECAP_DBUS(void, dbus_message_iter_get_basic, (ITERATOR, void *value), (iterator, value))
BLUECAP_DBUS(void, dbus_message_iter_get_fixed_array, (ITERATOR, void *start, int *count), (iterator, start, count))
BLUECAP_DBUS(void, dbus_message_iter_recurse, (ITERATOR, DBusMessageIter *inner), (iterator, inner))
BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_append_basic,
    (ITERATOR, int type, const void *value), (iterator, type, value))
BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_append_fixed_array,
    (ITERATOR, int type, const void *start, int count), (iterator, type, start, count))
BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_open_container,
    (ITERATOR, int type, const char *signature, DBusMessageIter *inner), (iterator, type, signature, inner))
BLUECAP_DBUS(dbus_bool_t, dbus_message_iter_close_container, (ITERATOR, DBusMessageIter *inner), (iterator, inner))
BLUECAP_DBUS(void, dbus_message_iter_abandon_container, (ITERATOR, DBusMessageIter *inner), (iterator, inner))

#undef CONNECTION
#undef WATCH
#undef MESSAGE
#undef ITERATOR
