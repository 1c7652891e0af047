// SPDX-License-Identifier: MIT

// libdbus-1 by its own header, from the package libdbus-1-dev (Debian, Ubuntu) or dbus-devel (Fedora).
#include <dbus/dbus.h>
