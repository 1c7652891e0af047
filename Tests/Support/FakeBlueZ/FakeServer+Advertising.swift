// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import BlueCapDBus

/// LEAdvertisingManager1 as in `src/advertising.c` of BlueZ 5.66: it ignores unknown properties silently.
extension FakeServer {
    func registerAdvertisement(_ call: MethodCall) {
        guard let path = call.arguments[0].objectPathValue else { return call.fail(.invalidArguments) }
        guard !advertisements.contains(where: { $0.path == path && $0.client == call.sender }),
            reading(path, of: call.sender) == nil
        else { return call.fail(FakeFailure("AlreadyExists", "Already Exists")) }
        guard advertisements.count < Self.instances else {
            return call.fail(FakeFailure("NotPermitted", "Maximum advertisements reached"))
        }
        readings.append(call)
        // Its D-Bus library asks for the objects below, too; there need not be any.
        daemon.ask(call.sender, path, StandardInterface.objectManager, "GetManagedObjects") { [weak self] _ in
            self?.readAdvertisement(path, call)
        }
    }

    private func readAdvertisement(_ path: String, _ call: MethodCall) {
        let (client, life) = (call.sender, life)
        daemon.ask(client, path, StandardInterface.properties, "GetAll", [.string(Self.advertisement)]) {
            [weak self] result in
            guard let self, self.life == life else { return call.fail(.gone) }
            guard isRead(call) else { return }
            guard case .success(let message) = result, let reply = try? message.body(expecting: "a{sv}"),
                let properties = reply[0].propertiesValue, Self.isReadable(properties)
            else { return call.fail(FakeFailure("Failed", "Failed to parse advertisement.")) }
            // The kernel refuses it only now.
            guard daemon.isPowered else { return call.fail(FakeFailure("Failed", "Failed to register advertisement")) }
            advertisements.append(OnAir(client: client, path: path, properties: properties))
            tellCounts()
            call.reply()
        }
    }

    /// The number of advertisements, and the number of further ones that are possible.
    var instanceCounts: [String: DBusValue] {
        let count = advertisements.count
        return [
            "ActiveInstances": .byte(UInt8(count)), "SupportedInstances": .byte(UInt8(Self.instances - count)),
        ]
    }

    private func tellCounts() { daemon.emit(FakeDaemon.adapterPath, Self.advertisingManager, instanceCounts) }

    /// `parse_advertisement`; intervals and power count with -E. Structures are of types that the daemon does not write
    /// itself (`bt_ad_add_data`).
    private static func isReadable(_ properties: [String: DBusValue]) -> Bool {
        let intervals = ["MinInterval", "MaxInterval"].compactMap { properties[$0]?.uint32Value }
        let power = properties["TxPower"]?.int16Value ?? 0
        let types = (properties["Data"]?.entriesValue ?? []).compactMap(\.key.byteValue)
        return properties["Type"] != nil && intervals == intervals.sorted()
            && types.allSatisfy { Self.freeTypes.contains($0) }
            && intervals.allSatisfy { (20...10_485_759).contains($0) } && (-127...20).contains(power)
            && !(properties["Type"]?.stringValue == "broadcast" && properties["Discoverable"]?.boolValue == true)
    }

    private static let freeTypes: Set<UInt8> = Set(0x24...0x26).union(0x2C...0x3C).union(0x3E...0xFE)
        .union([0x00, 0x0B, 0x0C, 0x13])

    /// Reports the end of an advertisement to its program.
    func release(_ gone: OnAir) { daemon.tell(gone.client, gone.path, Self.advertisement, "Release", []) }

    func unregisterAdvertisement(_ call: MethodCall) {
        let path = call.arguments[0].objectPathValue
        if let path, let place = reading(path, of: call.sender) {
            call.reply()
            // Seen with 5.66 and 5.87, the answers in this order.
            return readings.remove(at: place).fail(FakeFailure("Failed", "Failed to complete registration"))
        }
        guard let index = advertisements.firstIndex(where: { $0.path == path && $0.client == call.sender }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        advertisements.remove(at: index)
        tellCounts()
        call.reply()
    }

    /// The advertisements that the adapter sends now, with their intervals.
    var sent: [(device: HeardDevice, interval: Duration)] {
        guard daemon.isPowered else { return [] }
        return advertisements.map { advertisement in
            let milliseconds = advertisement.properties["MinInterval"]?.uint32Value ?? 100
            let packets = AdvertisingPackets(advertisement.properties)
            let device = HeardDevice(
                identifier: "C0:DE:00:00:00:01", isPublic: true,
                advertisements: PeripheralAdvertisements(packets: [packets.advertisement, packets.scanResponse]),
                scanResponse: PeripheralAdvertisements(packets: [packets.scanResponse]))
            return (device, .milliseconds(Int(milliseconds)))
        }
    }
}
#endif
