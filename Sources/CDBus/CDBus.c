// Opens libdbus-1 and finds its functions.
#if defined(__linux__)
#include "CDBus.h"
#include <dlfcn.h>

struct bluecap_dbus_functions bluecap_dbus_functions;
static const char *missing;

// Before main, so that every thread sees the functions; as early as the system's loader opens a library that a program is
// linked with.
__attribute__((constructor)) static void open_library(void) {
    static const char name[] = "libdbus-1.so.3";
    // Never closed: what it has allocated may be in use until the process ends.
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        missing = name;
        return;
    }
#define BLUECAP_DBUS(type, name, parameters, arguments) \
    *(void **)&bluecap_dbus_functions.name = dlsym(library, #name); \
    if (!bluecap_dbus_functions.name) missing = #name;
#include "functions.h"
#undef BLUECAP_DBUS
}

const char *bluecap_dbus_missing(void) { return missing; }
#endif
