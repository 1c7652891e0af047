// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Logging

/// The options that choose a radio.
struct RadioOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The radio: bluez, or virtual for a small simulated world. (default: the platform's)", valueName: "name"))
    var backend: BackendName?

    @Option(help: ArgumentHelp("The adapter, by name (hci0) or address; BlueZ only.", valueName: "adapter"))
    var adapter: String?

    @Option(help: ArgumentHelp("What all chance in the virtual world follows from.", valueName: "number"))
    var seed: UInt64 = 1

    @Flag(help: "Log to standard error what the library does.")
    var verbose = false

    func validate() throws {
        if adapter != nil, backend == .virtual {
            throw ValidationError("--adapter chooses among BlueZ's adapters; the virtual world has one of its own")
        }
    }

    /// These options, with those that are not given as the settings have them.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where the file of settings cannot be read.
    func resolved() throws(CommandFailure) -> RadioOptions { resolved(try SettingsFile.current.get()) }

    func resolved(_ settings: Settings) -> RadioOptions {
        var options = self
        // An adapter on the command line is one of BlueZ's.
        if adapter == nil {
            options.backend = backend ?? settings.text(.backend).flatMap { BackendName(argument: $0) }
        }
        if options.backend != .virtual { options.adapter = adapter ?? settings.text(.adapter) }
        return options
    }

    /// Runs `body` with a manager on the chosen radio, and takes down afterwards what the manager connected.
    ///
    /// - Parameters:
    ///   - makeWorld: What there is in the air of a virtual radio.
    ///   - body: What to do with the manager.
    func withCentral(
        in makeWorld: @escaping @Sendable (VirtualRadio) -> any DemoWorld = { VirtualTown(radio: $0) },
        _ body: @escaping @Sendable (CentralManager, BlueCapClock) async throws -> Void
    ) async throws {
        guard backend == .virtual else {
            let central = platformCentral
            return try await use(central, .continuous, body)
        }
        let radio = VirtualRadio(seed: seed)
        let world = makeWorld(radio)
        let central = CentralManager(
            backend: radio.central(), configuration: .tool(clock: radio.clock, isVerbose: verbose))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await world.run() }
            group.addTask { try await use(central, radio.clock, body) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private var platformCentral: CentralManager {
        let configuration = CentralManager.Configuration.tool(clock: .continuous, isVerbose: verbose)
        #if os(Linux)
        return CentralManager(adapter: selection, configuration: configuration)
        #else
        return CentralManager(configuration: configuration)
        #endif
    }

    /// A manager of the peripheral role on the platform's radio.
    var platformPeripheral: PeripheralManager {
        let configuration = PeripheralManager.Configuration.tool(clock: .continuous, isVerbose: verbose)
        #if os(Linux)
        return PeripheralManager(adapter: selection, configuration: configuration)
        #else
        return PeripheralManager(configuration: configuration)
        #endif
    }

    #if os(Linux)
    var selection: AdapterSelection {
        guard let adapter else { return .default }
        return adapter.contains(":") ? .address(adapter) : .name(adapter)
    }
    #endif

    private func use(
        _ central: CentralManager, _ clock: BlueCapClock,
        _ body: @Sendable (CentralManager, BlueCapClock) async throws -> Void
    ) async throws {
        do {
            try await body(central, clock)
        } catch {
            await central.invalidate()
            throw error
        }
        await central.invalidate()
    }
}

extension CentralManager.Configuration {
    /// The tool's own: quiet unless asked, since what matters is reported as results and errors.
    static func tool(clock: BlueCapClock, isVerbose: Bool = false) -> Self {
        var configuration = Self(clock: clock, profiles: KnownProfiles.manager)
        configuration.logger.logLevel = isVerbose ? .debug : .error
        return configuration
    }
}

extension CentralManager {
    /// Waits for the radio.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` or ``ToolStatus/notAuthorized``, and what to do about it.
    func requireRadio() async throws {
        do throws(CentralManagerError) {
            try await whenPoweredOn(timeout: .seconds(5))
        } catch {
            switch error {
            case .cancelled, .invalidated: throw error
            case .unauthorized: throw CommandFailure(.notAuthorized, error.description)
            case .powerOnTimeout where state == .poweredOff:
                throw CommandFailure(.noRadio, "Bluetooth is off: switch it on ('bluetoothctl power on')")
            case .powerOnTimeout:
                throw CommandFailure(
                    .noRadio,
                    "no Bluetooth adapter was ready within 5 s (state: \(state)): plug one in, or start bluetoothd")
            default:
                let status = ToolStatus.status(for: error)
                throw CommandFailure(status == .notAuthorized ? status : .noRadio, error.description)
            }
        }
    }
}
