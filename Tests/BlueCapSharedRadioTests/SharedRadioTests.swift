// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Dispatch
import Testing

@testable import BlueCapSharedRadio

@Suite("A radio that several programs share", .timeLimit(.minutes(60)))
struct SharedRadioTests {
    private let place: SocketPlace

    init() throws { place = try SocketPlace() }

    // MARK: The socket

    @Test func `the socket is for its user alone, and goes with the sharing`() throws {
        let shared = try VirtualRadio().share(at: place.path)
        var facts = stat()
        try #require(unsafe lstat(place.path, &facts) == 0)
        #expect(facts.st_mode & S_IFMT == S_IFSOCK)
        #expect(facts.st_mode & 0o777 == 0o600)
        shared.stop()
        #expect(unsafe lstat(place.path, &facts) != 0)
    }

    @Test func `a second program cannot share a radio at the same path`() throws {
        let shared = try VirtualRadio().share(at: place.path)
        let failure = #expect(throws: BackendFailure.self) { try VirtualRadio().share(at: place.path) }
        #expect(failure?.name == "SharedRadio.InUse")
        // The first one is not disturbed by the attempt.
        _ = try Stranger(at: place.path)
        shared.stop()
    }

    @Test func `a socket that a program left behind is replaced, and a file is not`() throws {
        // Its program ends without `stop`.
        do { _ = try UnixSocket.listening(at: place.path) }
        let shared = try VirtualRadio().share(at: place.path)
        shared.stop()
        let file = unsafe open(place.path, O_CREAT | O_WRONLY, 0o600)
        _ = systemClose(file)
        let failure = #expect(throws: BackendFailure.self) { try VirtualRadio().share(at: place.path) }
        #expect(failure?.name == "SharedRadio.NoSocket")
    }

    @Test func `of programs that begin at once at a path with an old socket, one shares its radio`() throws {
        for _ in 0..<20 {
            do { _ = try UnixSocket.listening(at: place.path) }
            let shared = Locked<[SharedRadio]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                if let radio = try? VirtualRadio().share(at: place.path) { shared.withLock { $0.append(radio) } }
            }
            #expect(shared.withLock { $0.count } == 1)
            for radio in shared.withLock({ $0 }) { radio.stop() }
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 108), "/tmp/no such folder/radio.sock", "a\0b"])
    func `a path that cannot be a socket's is refused`(_ path: String) throws {
        #expect(throws: BackendFailure.self) { try VirtualRadio().share(at: path) }
    }

    @Test func `a radio whose clock is moved by hand is not shared`() {
        let failure = #expect(throws: BackendFailure.self) {
            try VirtualRadio(clock: ManualClock()).share(at: place.path)
        }
        #expect(failure?.name == "SharedRadio.ManualClock")
    }

    // MARK: Guests

    @Test func `a guest of a path where no program shares a radio is told so`() async throws {
        let central = CentralManager(backend: SharedCentralBackend(at: place.path))
        let error = await #expect(throws: CentralManagerError.self) { try await central.whenPoweredOn() }
        #expect(central.state == .unsupported)
        #expect(error?.description.contains("no program shares a radio at \(place.path)") == true)
        #expect(error?.advice?.contains("start the program that shares it") == true)
        let manager = PeripheralManager(backend: SharedPeripheralBackend(at: place.path))
        await #expect(throws: PeripheralManagerError.self) { try await manager.whenPoweredOn() }
    }

    @Test func `guests in both roles see each other and the program that shares`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        radio.add(VirtualPeripheral(name: "Own", services: []))
        let manager = PeripheralManager(backend: SharedPeripheralBackend(at: place.path))
        try await manager.whenPoweredOn()
        try await manager.startAdvertising("Guest")
        for backend in [SharedCentralBackend(at: place.path) as any CentralBackend, radio.central()] {
            let central = CentralManager(backend: backend)
            try await central.whenPoweredOn()
            var names: Set<String> = []
            for try await discovery in central.scan() {
                if let name = discovery.peripheral.name { names.insert(name) }
                if names == ["Own", "Guest"] { break }
            }
            await central.invalidate()
        }
        await manager.invalidate()
        shared.stop()
    }

    @Test func `the end of a guest ends its links and nothing else`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let device = VirtualPeripheral(
            name: "Device", connection: VirtualConnection(maximumConnections: 2), services: [])
        radio.add(device)
        let staying = CentralManager(backend: radio.central())
        let own = try await connected(staying)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: .central))
        try stranger.send(GuestMessage.connect(device.identifier))
        try await device.wait { $0.connectionCount == 2 }
        // As `kill -9` ends a program: the system closes its socket.
        stranger.leave()
        try await device.wait { $0.connectionCount == 1 }
        #expect(own.isConnected)
        // Others can come.
        let next = CentralManager(backend: SharedCentralBackend(at: place.path))
        try await next.whenPoweredOn()
        await next.invalidate()
        await staying.invalidate()
        shared.stop()
    }

    @Test func `the advertisement of a guest that ends is over`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let manager = PeripheralManager(backend: SharedPeripheralBackend(at: place.path))
        try await manager.whenPoweredOn()
        try await manager.startAdvertising("Guest")
        let central = CentralManager(backend: radio.central())
        try await central.whenPoweredOn()
        _ = try await central.firstDiscovery(timeout: .seconds(30))
        await manager.invalidate()
        #expect(await shared.remains(on: radio).isEmpty)
        await central.invalidate()
        shared.stop()
    }

    @Test func `guests learn that the program has ended`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let central = CentralManager(backend: SharedCentralBackend(at: place.path))
        try await central.whenPoweredOn()
        let states = central.states()
        shared.stop()
        for await state in states where state == .unsupported { break }
        let error = await #expect(throws: CentralManagerError.self) { try await central.whenPoweredOn() }
        #expect(error?.description.contains("the program that shared its radio has ended") == true)
    }

    @Test func `a guest that comes again by itself has the address that it had`() async throws {
        let addresses = GuestAddresses()
        let first = addresses.choose(for: .central)
        #expect(addresses.choose(for: .central) != first)
        #expect(addresses.choose(for: .peripheral) != first)
        addresses.free(first)
        #expect(addresses.choose(for: .central) == first)
    }

    // MARK: Strangers

    @Test(
        arguments: [
            "what is no greeting": Stranger.frame(Array("GET / HTTP/1.1\r\n".utf8)),
            "a length that no frame has": [0xFF, 0xFF, 0xFF, 0xFF],
            "an empty frame": Stranger.frame([]),
            "a greeting without its end": Stranger.frame(Array("BlueCapR".utf8) + [4, 0, 1, 1, 17, 0, 0, 0]),
            "a greeting with more behind it": Stranger.frame(Frame.encode(GuestHello(role: .central))! + [0]),
            "an address that is none": Stranger.frame(
                Frame.encode(GuestHello(role: .central, address: "00:00:5E:00:53:4"))!),
            "a role that is none": Stranger.frame(Array("BlueCapR".utf8) + [4, 0, 3, 0]),
        ].sorted { $0.key < $1.key })
    func `a stranger is refused at its first word`(_ name: String, _ bytes: [UInt8]) async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        stranger.send(raw: bytes)
        // A length that is too long ends it without a word.
        let refusal = try await stranger.refusal()
        #expect(refusal == nil ? bytes.count == 4 && bytes[3] == 0xFF : refusal?.name == "SharedRadio.Malformed")
        shared.stop()
    }

    @Test func `another version is refused by its number`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        stranger.send(raw: Stranger.frame(Array("BlueCapR".utf8) + [5, 0, 1, 0]))
        #expect(try await stranger.refusal()?.message == "the two programs speak versions 5 and 4 of a shared radio")
        shared.stop()
    }

    @Test func `a half frame waits, and ends with its program`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        let bytes = Stranger.frame(try #require(Frame.encode(GuestHello(role: .central))))
        for byte in bytes.dropLast() { stranger.send(raw: [byte]) }
        stranger.send(raw: Array(bytes.suffix(1)))
        var arrivals = stranger.arrivals.makeAsyncIterator()
        guard case .frame(let frame) = await arrivals.next(),
            case .event(.stateChanged(.poweredOn, nil)) = try Frame.decode(
                HostMessage<CentralEvent>.self, from: frame)
        else { return #expect(Bool(false), "the radio is on") }
        // A length, and nothing behind it.
        stranger.send(raw: [200, 0, 0, 0, 1])
        stranger.leave()
        let central = CentralManager(backend: SharedCentralBackend(at: place.path))
        try await central.whenPoweredOn()
        await central.invalidate()
        shared.stop()
    }

    @Test(arguments: [GuestRole.central, .peripheral])
    func `a guest is refused that speaks for the other role`(_ role: GuestRole) async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: role))
        try stranger.send(
            role == .central ? GuestMessage.respond(AccessID(rawValue: 1), .success([])) : .connect("C0:DE:00:00:00:01")
        )
        #expect(try await stranger.refusal()?.name == "SharedRadio.Malformed")
        shared.stop()
    }

    @Test func `a guest that connects to everything is refused`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: .central))
        for number in 0...GuestSession.openLimit {
            try stranger.send(GuestMessage.connect(PeerIdentifier("peripheral \(number)")))
        }
        #expect(try await stranger.refusal()?.name == "SharedRadio.TooMuch")
        shared.stop()
    }

    @Test func `a guest that offers without an end is refused`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: .peripheral))
        for number in 0...UInt32(GuestSession.offerLimit) {
            let operation = PeripheralOperation.advertise(AdvertisementID(rawValue: number), Advertisement())
            try stranger.send(
                GuestMessage.offer(PeripheralRequest(id: RequestID(rawValue: UInt64(number)), operation: operation)))
        }
        #expect(try await stranger.refusal()?.name == "SharedRadio.TooMuch")
        #expect(await shared.remains(on: radio).isEmpty)
        shared.stop()
    }

    @Test func `a guest that does not read loses its links, and the radio goes on`() async throws {
        let radio = VirtualRadio()
        let shared = try radio.share(at: place.path)
        let value = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [1])
        let device = VirtualPeripheral(name: "Device", services: [VirtualService("180F", characteristics: [value])])
        radio.add(device)
        let stranger = try Stranger(at: place.path)
        try stranger.send(GuestHello(role: .central))
        try stranger.send(GuestMessage.connect(device.identifier))
        try await device.wait { $0.connectionCount == 1 }
        // Each request is answered with 1,000 peripherals, and none is read.
        let identifiers = (0..<1000).map { _ in device.identifier }
        for number in 0..<200 {
            let operation = CentralOperation.retrieve(identifiers)
            try stranger.send(
                GuestMessage.perform(CentralRequest(id: RequestID(rawValue: UInt64(number)), operation: operation)))
        }
        try await device.wait { $0.connectionCount == 0 }
        let central = CentralManager(backend: radio.central())
        let peripheral = try await connected(central)
        #expect(peripheral.isConnected)
        await central.invalidate()
        shared.stop()
        stranger.leave()
    }

    @Test func `a radio that sends nonsense is gone for its guest, with the reason`() async throws {
        let place = place
        let host = try UnixSocket.listening(at: place.path)
        let central = CentralManager(backend: SharedCentralBackend(at: place.path))
        let states = central.states()
        let guest = try #require(host.accepted())
        _ = guest.send(Stranger.frame([1, 1, 99])[...])
        for await state in states where state == .unsupported { break }
        let error = await #expect(throws: CentralManagerError.self) { try await central.whenPoweredOn() }
        #expect(error?.description.contains("sends what is no message") == true)
    }

    private func connected(_ central: CentralManager) async throws -> Peripheral {
        try await central.whenPoweredOn()
        let peripheral = try await central.firstDiscovery(timeout: .seconds(30)).peripheral
        try await peripheral.connect(timeout: .seconds(30))
        return peripheral
    }
}

extension SharedRadio {
    /// What peripheral roles have left on a radio once it has nothing to do for them.
    fileprivate func remains(on radio: VirtualRadio) async -> [String: Int] {
        while true {
            let remains = await radio.remains()
            if remains.isEmpty { return remains }
            await Task.yield()
        }
    }
}

extension Stranger {
    /// Bytes behind their length.
    static func frame(_ bytes: [UInt8]) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }
}
#endif
