// libdbus-1 where its header is installed. Without it stand-ins of the same shape let the package build all the same,
// with nothing to link; bluecap_has_dbus() is then 0 and no other function here is ever called.
#pragma once
#if __has_include(<dbus/dbus.h>)
#include <dbus/dbus.h>
static inline int bluecap_has_dbus(void) { return 1; }
#else
#include "standins.h"
static inline int bluecap_has_dbus(void) { return 0; }
#endif
