#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

/// LEAdvertisingManager1 as `src/advertising.c` of BlueZ 5.66 has it: what it does not know, it passes over in silence.
extension FakeServer {
    func registerAdvertisement(_ call: MethodCall) {
        guard let path = call.arguments[0].objectPathValue else { return call.fail(.invalidArguments) }
        guard daemon.isPowered else { return call.fail(FakeFailure("Failed", "Failed to register advertisement")) }
        guard !advertisements.contains(where: { $0.path == path && $0.client == call.sender }) else {
            return call.fail(FakeFailure("AlreadyExists", "Already Exists"))
        }
        guard advertisements.count < Self.instances else {
            return call.fail(FakeFailure("NotPermitted", "Maximum advertisements reached"))
        }
        let client = call.sender
        daemon.ask(client, path, StandardInterface.properties, "GetAll", [.string(Self.advertisement)]) {
            [weak self] result in
            guard let self else { return }
            guard case .success(let message) = result, let reply = try? message.body(expecting: "a{sv}"),
                let properties = reply[0].propertiesValue, Self.isReadable(properties)
            else { return call.fail(FakeFailure("Failed", "Failed to parse advertisement.")) }
            advertisements.append(OnAir(client: client, path: path, properties: properties))
            scheduleEnd(of: advertisements.count - 1)
            call.reply()
        }
    }

    /// `parse_advertisement`; intervals and power count with -E.
    private static func isReadable(_ properties: [String: DBusValue]) -> Bool {
        let intervals = ["MinInterval", "MaxInterval"].compactMap { properties[$0]?.uint32Value }
        let power = properties["TxPower"]?.int16Value ?? 0
        return properties["Type"] != nil && intervals == intervals.sorted()
            && intervals.allSatisfy { (20...10_485_759).contains($0) } && (-127...20).contains(power)
            && !(properties["Type"]?.stringValue == "broadcast" && properties["Discoverable"]?.boolValue == true)
    }

    /// `parse_timeout`: each time that the property is told, time begins anew.
    func scheduleEnd(of index: Int) {
        lastTimeout += 1
        let number = lastTimeout
        advertisements[index].timeout = nil
        guard let seconds = advertisements[index].properties["Timeout"]?.uint16Value, seconds > 0 else { return }
        advertisements[index].timeout = number
        let (loop, daemon) = (daemon.loop, Weak(daemon))
        _ = self.daemon.clock.schedule(after: .seconds(Int(seconds))) {
            loop.submit { daemon.value?.server.end(number) }
        }
    }

    /// `client_timeout`.
    private func end(_ timeout: Int) {
        guard let index = advertisements.firstIndex(where: { $0.timeout == timeout }) else { return }
        let gone = advertisements.remove(at: index)
        daemon.tell(gone.client, gone.path, Self.advertisement, "Release", [])
    }

    func unregisterAdvertisement(_ call: MethodCall) {
        let path = call.arguments[0].objectPathValue
        guard let index = advertisements.firstIndex(where: { $0.path == path && $0.client == call.sender }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        advertisements.remove(at: index)
        call.reply()
    }

    /// What the adapter sends now, and how often.
    var sent: [(advertisements: PeripheralAdvertisements, interval: Duration)] {
        guard daemon.isPowered else { return [] }
        return advertisements.map { advertisement in
            let milliseconds = advertisement.properties["MinInterval"]?.uint32Value ?? 100
            return (PeripheralAdvertisements(advertising: advertisement.properties), .milliseconds(Int(milliseconds)))
        }
    }
}

extension PeripheralAdvertisements {
    /// What a program's advertisement makes the adapter send.
    fileprivate init(advertising properties: [String: DBusValue]) {
        self.init()
        localName = properties["LocalName"]?.stringValue
        serviceUUIDs = (properties["ServiceUUIDs"]?.stringsValue ?? []).compactMap { try? BluetoothUUID($0) }
        solicitedServiceUUIDs = (properties["SolicitUUIDs"]?.stringsValue ?? []).compactMap { try? BluetoothUUID($0) }
        appearance = properties["Appearance"]?.uint16Value
        for entry in properties["ManufacturerData"]?.entriesValue ?? [] {
            guard let company = entry.key.uint16Value, let data = entry.value.bytesValue else { continue }
            manufacturerData[company] = Bytes(data)
        }
        for entry in properties["ServiceData"]?.entriesValue ?? [] {
            guard let text = entry.key.stringValue, let uuid = try? BluetoothUUID(text),
                let data = entry.value.bytesValue
            else { continue }
            serviceData[uuid] = Bytes(data)
        }
        if properties["Includes"]?.stringsValue?.contains("tx-power") == true {
            txPower = properties["TxPower"]?.int16Value.map(Int.init) ?? 0
        }
        for entry in properties["Data"]?.entriesValue ?? [] {
            guard let type = entry.key.byteValue, let data = entry.value.bytesValue else { continue }
            structures.append(ADStructure(type: type, data: Bytes(data)))
        }
        if properties["Discoverable"]?.boolValue == true { flags = [.generalDiscoverable, .noBREDR] }
        isConnectable = properties["Type"]?.stringValue == "peripheral"
    }
}

// Right: the value is reached on the fake's thread alone.
/// Carries a reference to the fake's thread, which a timer has left.
private final class Weak: @unchecked Sendable {
    private(set) weak var value: FakeDaemon?

    init(_ value: FakeDaemon) { self.value = value }
}
#endif
