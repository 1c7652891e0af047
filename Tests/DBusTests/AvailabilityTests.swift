import DBus
import Testing

@Suite
struct AvailabilityTests {
    @Test("there is a reason exactly when D-Bus is unavailable, and it names what to do")
    func reason() {
        #expect(DBusAvailability.isAvailable == (DBusAvailability.reason == nil))
        if let reason = DBusAvailability.reason {
            #expect(["libdbus-1-3", "trait BlueZ", "Linux only"].contains { reason.contains($0) })
        }
    }
}
