// libdbus-1, where its header is installed. Without it this module is empty: the package still builds, and the BlueZ
// backend then reports at run time that it is unavailable and which package to install.
#if __has_include(<dbus/dbus.h>)
#include <dbus/dbus.h>
#define BLUECAP_HAS_DBUS 1
#endif
