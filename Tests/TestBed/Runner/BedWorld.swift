// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapTesting
import BlueCapFakeBlueZ
import Foundation

/// The conformance suite's world in the test bed: bluetoothd on one side, another Bluetooth stack on the other.
final class BedWorld: ConformanceWorld {
    private struct State {
        var centrals: [CentralManager] = []
        var peripheralManagers: [PeripheralManager] = []
        var peers: [Int: BedPeer] = [:]
        var farCentrals: [Int: BedCentral] = [:]
        var isDaemonDown = false
        var isDaemonPlain = false
        var isDaemonPaused = false
        var isBusDown = false
        var isAdapterOut = false
        var isPowerOff = false
        var hasDuplicateFilter = false
        var hasOtherAdvertising = false
    }

    /// The system bus of the bed.
    static let bus =
        ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"

    /// The version of the bed's daemon, as given to `run`.
    static let bluetoothd: BlueZVersion = {
        let numbers = (ProcessInfo.processInfo.environment["BLUECAP_BLUEZ"] ?? "").split(separator: ".")
            .compactMap { UInt8($0) }
        return numbers.count == 2 ? BlueZVersion(numbers[0], numbers[1]) : BlueZVersion(5, 66)
    }()

    /// Whether the bed's adapters have extended advertising, as with `run --extended`.
    static let isExtended = ProcessInfo.processInfo.environment["BLUECAP_EXTENDED"] != nil

    private let client: BedClient
    private let state = Locked(State())

    /// - Parameter takesScanResponse: Whether the bed's daemon looks at `ScanResponseData`.
    init(client: BedClient, takesScanResponse: Bool) {
        self.client = client
        limits =
            BlueZLimits.central
            + BlueZLimits.peripheral(
                takesScanResponse: takesScanResponse, isExtended: Self.isExtended,
                isLong: Self.bluetoothd >= BlueZVersion(5, 82)) + [
                WorldLimit(
                    .serviceChangeWhileAsked,
                    reason: "bluetoothd asks for the changed database behind the request that is under way",
                    error: .disconnected),
                WorldLimit(
                    .abandonedWork,
                    reason: "bluetoothd keeps a pointer to freed memory then, and may crash (bluez issue 2447)"),
            ]
    }

    let name = "test bed"
    let seed: UInt64 = 0
    let limits: [WorldLimit]
    let clock = BlueCapClock.continuous
    let longAbsence = Duration.seconds(90)
    let deadlineClock = BlueCapClock.continuous

    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        try await makeCentral(
            .init(restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store))
    }

    func makeCentral(_ configuration: CentralManager.Configuration) async throws -> CentralManager {
        keep(CentralManager(backend: BlueZCentralBackend(), configuration: configuration))
    }

    private func keep(_ central: CentralManager) -> CentralManager {
        state.withLock { $0.centrals.append(central) }
        return central
    }

    private func keep(_ manager: PeripheralManager) -> PeripheralManager {
        state.withLock { $0.peripheralManagers.append(manager) }
        return manager
    }

    /// A manager of each role over a session that begins with them. Managers of one address share a session, and the
    /// last one's may live for a moment after it, with all that it has read.
    func makeFirstManagers() -> (CentralManager, PeripheralManager) {
        // The second address is never tried.
        let bus = "\(Self.bus);unix:path=/run/\(UUID().uuidString)"
        return (
            keep(CentralManager(backend: BlueZCentralBackend(bus: bus))),
            keep(PeripheralManager(backend: BlueZPeripheralBackend(bus: bus)))
        )
    }

    func peer(_ index: Int) async throws -> any ConformancePeer {
        state.withLock { state in
            if let peer = state.peers[index] { return peer }
            let peer = BedPeer(client: client, device: index)
            state.peers[index] = peer
            return peer
        }
    }

    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        keep(
            PeripheralManager(
                backend: BlueZPeripheralBackend(),
                configuration: .init(restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store)))
    }

    func farCentral(_ index: Int) async throws -> any FarCentral {
        if let central = state.withLock({ $0.farCentrals[index] }) { return central }
        return try await makeFarCentral(index)
    }

    /// A far central with a capability for pairing, or with ATT packets of another length than the 185 bytes with which
    /// the suite's long values are written in parts; each is a device of its own.
    func makeFarCentral(
        _ index: Int, unit: Int = 185, pairing: PeerPairing = PeerPairing()
    ) async throws -> BedCentral {
        let central = try await BedCentral(client: client, device: index, unit: unit, pairing: pairing)
        state.withLock { $0.farCentrals[index] = central }
        return central
    }

    func begin(_ outage: Outage) async throws {
        switch outage {
        case .restart: try await stopDaemon()
        case .crash: try await killDaemon()
        case .unplugging: try await setAdapter(present: false)
        }
    }

    func end(_ outage: Outage) async throws {
        switch outage {
        case .restart, .crash: try await startDaemon(experimental: true)
        case .unplugging: try await setAdapter(present: true)
        }
    }

    func setPower(_ isOn: Bool) async throws {
        state.withLock { $0.isPowerOff = !isOn }
        try await Self.power(isOn)
    }

    func elapse(_ duration: Duration) async throws { try await clock.sleep(for: duration) }

    func close() async {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        if last.isDaemonPaused { try? await pauseDaemon(false) }
        if last.isBusDown { try? await startBus() }
        // A link that the peer ends is down at once; bluetoothd takes two seconds to end one by itself.
        for peer in last.peers.values { await peer.quieten() }
        for central in last.farCentrals.values { try? await central.disconnect() }
        for central in last.centrals { await central.invalidate() }
        for manager in last.peripheralManagers { await manager.invalidate() }
        // A failure here repeats in the next behaviour, which then reports it.
        if last.isDaemonPlain { try? await killDaemon() }
        if last.isDaemonDown || last.isDaemonPlain { try? await startDaemon(experimental: true) }
        if last.hasOtherAdvertising { try? await setExtendedAdvertising(Self.isExtended) }
        if last.isAdapterOut { try? await setAdapter(present: true) }
        if last.isPowerOff { try? await setPower(true) }
        if last.hasDuplicateFilter { try? await setDuplicateFilter(false) }
    }

    /// A command to the first far device.
    @discardableResult
    func request(_ command: String, _ parameters: [String: JSON] = [:]) async throws -> Data {
        try await client.request(command, parameters.merging(["device": .int(0)]) { own, _ in own })
    }

    /// The number of programs' advertisements that the adapter sends, according to bluetoothd.
    func activeAdvertisementCount() async throws -> Int {
        let answer = try await Self.ask("Get", "org.bluez.LEAdvertisingManager1", "string:ActiveInstances")
        guard answer.status == 0,
            let count = answer.text.split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) })
        else { throw BedError(description: "dbus-send could not get ActiveInstances: \(answer)") }
        return count
    }

    /// Ends every link of an adapter, at once, as devices do that went out of range.
    func dropLinks(ofAdapter index: Int) async throws { try await client.request("drop_links", ["index": .int(index)]) }

    /// Gives the adapter's controller a filter of duplicates, or takes it away.
    func setDuplicateFilter(_ isOn: Bool) async throws {
        state.withLock { $0.hasDuplicateFilter = isOn }
        try await client.request("duplicate_filter", ["enabled": .bool(isOn)])
    }

    /// Puts in a first adapter that has extended advertising, or one that does not.
    func setExtendedAdvertising(_ isOn: Bool) async throws {
        state.withLock { $0.hasOtherAdvertising = isOn != Self.isExtended }
        try await setAdapter(present: false)
        try await client.request("extended_advertising", ["enabled": .bool(isOn)])
        try await setAdapter(present: true)
    }

    // MARK: bluetoothd

    /// Ends bluetoothd as a crash does.
    func killDaemon() async throws {
        state.withLock { $0.isDaemonDown = true }
        try await client.request("kill_daemon")
    }

    /// Stops bluetoothd in good order, and returns when it has ended.
    func stopDaemon() async throws {
        state.withLock { $0.isDaemonDown = true }
        try await client.request("stop_daemon")
    }

    /// Starts bluetoothd after ``killDaemon()`` or ``stopDaemon()``, with or without -E, with LE alone or with BR/EDR
    /// too, and returns when its adapter is powered.
    func startDaemon(experimental isExperimental: Bool, withBothRadios isDual: Bool = false) async throws {
        try await client.request("start_daemon", ["experimental": .bool(isExperimental), "dual": .bool(isDual)])
        state.withLock { state in
            state.isDaemonDown = false
            state.isDaemonPlain = !isExperimental || isDual
        }
    }

    /// Stops bluetoothd in good order, starts it again, and returns when its adapter is powered.
    func restartDaemon() async throws {
        state.withLock { $0.isDaemonDown = true }
        try await client.request("restart_daemon")
        state.withLock { $0.isDaemonDown = false }
    }

    /// Has bluetoothd stand still, or go on.
    func pauseDaemon(_ isPaused: Bool) async throws {
        state.withLock { $0.isDaemonPaused = isPaused }
        try await client.request("pause_daemon", ["paused": .bool(isPaused)])
    }

    /// Ends the bus as a crash does, and bluetoothd, which does not outlive it.
    func killBus() async throws {
        state.withLock { $0.isBusDown = true }
        try await client.request("kill_bus")
    }

    /// Starts the bus after ``killBus()``, and bluetoothd, and returns when its adapter is powered.
    func startBus() async throws {
        try await client.request("start_bus")
        state.withLock { $0.isBusDown = false }
    }

    /// Has the bus read its policies again.
    func reloadBus() async throws {
        let answer = try await Self.send(
            to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig")
        guard answer.status == 0 else { throw BedError(description: "the bus did not reload: \(answer)") }
    }

    /// Pulls the adapter out, or plugs it in again.
    func setAdapter(present isPresent: Bool) async throws {
        state.withLock { $0.isAdapterOut = !isPresent }
        try await client.request("adapter", ["present": .bool(isPresent)])
    }

    /// Sets the adapter's `Powered`, as a program other than the one under test would.
    /// bluetoothd answers `Busy` while another change of its power is under way, so this asks again for a while.
    private static func power(_ isOn: Bool) async throws {
        var status: Int32 = 0
        for _ in 0..<30 {
            status = try await ask("Set", "org.bluez.Adapter1", "string:Powered", "variant:boolean:\(isOn)").status
            if status == 0 { return }
            try await BlueCapClock.continuous.sleep(for: .milliseconds(100))
        }
        throw BedError(description: "dbus-send could not set Powered: status \(status)")
    }

    /// Calls a method of the adapter's properties.
    private static func ask(
        _ method: String, _ interface: String, _ arguments: String...
    ) async throws -> (status: Int32, text: String) {
        try await send(
            to: "org.bluez", "/org/bluez/hci0", "org.freedesktop.DBus.Properties.\(method)",
            ["string:\(interface)"] + arguments)
    }

    /// Calls a method with dbus-send.
    private static func send(
        to destination: String, _ path: String, _ method: String, _ arguments: [String] = []
    ) async throws -> (status: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-send")
        process.arguments = ["--system", "--print-reply", "--dest=\(destination)", path, method] + arguments
        process.standardOutput = output
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                // One line or two, which the pipe holds.
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                continuation.resume(returning: (process.terminationStatus, text))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
#endif
