import DBus
import Testing

#if os(Linux)
import Glibc
#endif

@Suite
struct AvailabilityTests {
    #if BlueZ && os(Linux)
    @Test("D-Bus is there exactly when the system's loader finds libdbus")
    func library() {
        let isFound = unsafe dlopen("libdbus-1.so.3", RTLD_NOW) != nil
        #expect(DBusAvailability.isAvailable == isFound)
    }
    #else
    @Test("a build without D-Bus says why")
    func reason() {
        #expect(["trait BlueZ", "Linux only"].contains { DBusAvailability.reason?.contains($0) == true })
    }
    #endif
}
