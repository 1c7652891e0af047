// The part of libdbus-1's interface that the Swift side uses. The library is opened when the process starts, by its name,
// so that neither its header nor a package for developers is needed to build, and a program runs where it is not installed.
//
// bluecap_dbus_missing() tells whether it was found; when it was not, no other function here may be called.
#pragma once
#if defined(__linux__)
#include <stddef.h>
#include <stdint.h>
#include "types.h"

// What could not be found, the library's name or a function's; NULL when all was found.
const char *bluecap_dbus_missing(void);

// The functions as they were found in the library.
struct bluecap_dbus_functions {
#define BLUECAP_DBUS(type, name, parameters, arguments) type(*name) parameters;
#include "functions.h"
#undef BLUECAP_DBUS
};
extern struct bluecap_dbus_functions bluecap_dbus_functions;

#define BLUECAP_DBUS(type, name, parameters, arguments) \
    static inline type name parameters { return bluecap_dbus_functions.name arguments; }
#include "functions.h"
#undef BLUECAP_DBUS
#endif
