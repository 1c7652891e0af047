// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

@testable import BlueCapESPHome

/// A proxy over a virtual radio, in simulated time, with a sensor and a device to connect to.
struct ProxyScene {
    static let key = NoiseKey(Array(0..<32))!
    static let address: UInt64 = 0xC011_2233_4455

    let radio: VirtualRadio
    let server: ProxyServer
    let adapter: VirtualAdapter
    let device: VirtualPeripheral
    let sensor = VirtualPeripheral(name: "Sensor", address: "C0:DE:00:00:00:01")
    let key: NoiseKey?
    let events = Locked<[ProxyEvent]>([])

    init(
        _ radio: VirtualRadio, key: NoiseKey?, slots: Int, device: VirtualPeripheral? = nil,
        adapter configuration: VirtualAdapter.Configuration = .init(), central: CentralManager? = nil,
        silence: Duration = .seconds(150)
    ) {
        (self.radio, self.key) = (radio, key)
        self.device = device ?? Self.device()
        adapter = radio.adapter(configuration: configuration)
        radio.add(self.device)
        radio.add(sensor)
        server = Self.server(radio, adapter, central, key: key, slots: slots, silence: silence) { [events] event in
            events.withLock { $0.append(event) }
        }
    }

    static func server(
        _ radio: VirtualRadio, _ adapter: VirtualAdapter, _ central: CentralManager? = nil,
        key: NoiseKey? = nil, slots: Int = 3, silence: Duration = .seconds(150),
        _ report: @escaping @Sendable (ProxyEvent) -> Void = { _ in }
    ) -> ProxyServer {
        let usual = CentralManager.Configuration(clock: radio.clock)
        let central = central ?? CentralManager(backend: radio.central(on: adapter), configuration: usual)
        let identity = ProxyIdentity(
            name: "Cellar", address: ProxyIdentity.localAddress(of: "machine"),
            bluetoothAddress: PeerIdentifier(adapter.address), version: "0")
        return ProxyServer(
            central: central, identity: identity, key: key, slots: slots, silence: silence, report: report)
    }

    static func device(name: String = "Strap", address: String = "C0:11:22:33:44:55") -> VirtualPeripheral {
        VirtualPeripheral(name: name, address: address, services: services())
    }

    static func services() -> [VirtualService] {
        [
            VirtualService("180D") {
                VirtualCharacteristic("2A37", properties: .notify)
                VirtualCharacteristic("2A39", properties: [.write, .writeWithoutResponse], value: [1])
            },
            VirtualService("180F") { VirtualCharacteristic("2A19", value: [97]) },
            VirtualService("12345678-1234-5678-1234-567812345678") {
                VirtualCharacteristic(
                    "12345678-1234-5678-1234-567812345679", properties: [.read, .indicate], value: [7],
                    descriptors: [VirtualDescriptor("2901", value: [0x68, 0x69])])
            },
        ]
    }

    /// A new client of the proxy's own kind.
    func client(_ key: NoiseKey?? = nil) -> ProxyTestClient {
        ProxyTestClient(server, key: key ?? self.key, clock: radio.clock)
    }

    func opened(minorVersion: UInt32 = 19) async throws -> ProxyTestClient {
        let client = client()
        await client.open(minorVersion: minorVersion)
        _ = try await client.next(HelloResponse.self)
        return client
    }

    /// A client that listens, and has heard the device.
    func listener() async throws -> ProxyTestClient {
        let client = try await opened()
        var subscription = SubscribeAdvertisementsRequest()
        subscription.flags = 1
        await client.send(subscription)
        while !(try await client.next(RawAdvertisementsResponse.self).advertisements.map(\.address).contains(
            Self.address))
        {}
        return client
    }

    func pass(_ duration: Duration) async throws { try await radio.clock.sleep(for: duration) }

    /// Plays a scene.
    static func run(
        key: NoiseKey? = nil, slots: Int = 3, limit: Duration = .seconds(3600), device: VirtualPeripheral? = nil,
        adapter configuration: VirtualAdapter.Configuration = .init(),
        _ body: @escaping @Sendable (ProxyScene) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(limit: limit) { radio in
            try await ProxyScene(radio, key: key, slots: slots, device: device, adapter: configuration).play(body)
        }
    }

    /// Plays a scene over a platform that reports a device once.
    static func runReportingOnce(
        _ body: @escaping @Sendable (ProxyScene, OnceCentralBackend) async throws -> Void
    ) async throws {
        try await VirtualRadio.run { radio in
            let backend = OnceCentralBackend(radio.central(on: radio.adapter()))
            let central = CentralManager(
                backend: backend, configuration: CentralManager.Configuration(clock: radio.clock))
            try await ProxyScene(radio, key: nil, slots: 3, central: central).play { try await body($0, backend) }
        }
    }

    func play<Value: Sendable>(_ body: @Sendable (ProxyScene) async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            return try await body(self)
        }
    }
}
#endif
