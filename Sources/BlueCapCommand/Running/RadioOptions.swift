// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Logging

/// The options that choose a radio.
struct RadioOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The radio: bluez, virtual for a small simulated world, virtual:WORLD for another (house, sensors, shop, \
            storm, or a file), or virtual:SOCKET for one that another program shares. (default: the platform's)
            """,
            valueName: "name"),
        completion: .list(BackendName.choices))
    var backend: BackendName?

    @Option(
        help: ArgumentHelp("The adapter, by name (hci0) or address; BlueZ only.", valueName: "adapter"),
        completion: Completion.adapters)
    var adapter: String?

    @Option(help: ArgumentHelp("What all chance in the virtual world follows from. (default: 1)", valueName: "number"))
    var seed: UInt64?

    @Flag(help: "Log to standard error what the library does.")
    var verbose = false

    @OptionGroup var profiles: ProfileOptions

    func validate() throws {
        if adapter != nil, let backend, backend != .bluez {
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
        if !options.isVirtual { options.adapter = adapter ?? settings.text(.adapter) }
        return options
    }

    /// Runs `body` with a manager on the chosen radio, and afterwards disconnects the manager's links.
    ///
    /// - Parameter usualWorld: The world of `--backend virtual`, as a file has it.
    func withCentral(
        in usualWorld: String = ShippedWorlds.town,
        _ body: @escaping @Sendable (CentralManager, BlueCapClock) async throws -> Void
    ) async throws {
        try await withRadio(in: usualWorld) { _, central, clock in try await body(central, clock) }
    }

    /// The same, with the virtual radio for `body`, where it is one.
    func withRadio(
        in usualWorld: String = ShippedWorlds.town,
        _ body: @escaping @Sendable (VirtualRadio?, CentralManager, BlueCapClock) async throws -> Void
    ) async throws {
        guard isVirtual else {
            return try await use(platformCentral, .continuous) { try await body(nil, $0, $1) }
        }
        let file = if let worldName { try WorldFile.read(worldName) } else { try WorldFile(shipped: usualWorld) }
        let radio = VirtualRadio(seed: seed ?? file.seed ?? 1)
        let world = try FileWorld(radio: radio, file, name: worldName ?? "virtual")
        let central = CentralManager(
            backend: radio.central(), configuration: .tool(clock: radio.clock, isVerbose: verbose))
        try await Race.run(
            { await world.run() },
            { try await use(central, radio.clock) { try await body(radio, $0, $1) } })
    }

    var isVirtual: Bool { backend?.isVirtual == true }

    /// The name or the file of the virtual world; nil for the usual one.
    var worldName: String? { if case .virtual(let world) = backend { world } else { nil } }

    /// A virtual radio for a device of this program's, without other devices.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where a world is named.
    func ownRadio() throws(CommandFailure) -> VirtualRadio {
        if worldName != nil {
            throw CommandFailure(
                .usage, "a device is emulated in a virtual world of its own: write --backend virtual, without a name")
        }
        return VirtualRadio(seed: seed ?? 1)
    }

    private var platformCentral: CentralManager {
        let configuration = CentralManager.Configuration.tool(clock: .continuous, isVerbose: verbose)
        #if os(Linux)
        if case .shared(let path) = backend {
            return CentralManager(backend: SharedCentralBackend(at: path), configuration: configuration)
        }
        return CentralManager(adapter: selection, configuration: configuration)
        #else
        return CentralManager(configuration: configuration)
        #endif
    }

    var platformPeripheral: PeripheralManager { platformPeripheral(restoring: nil) }

    /// A manager of the peripheral role on the platform's radio that keeps a journal.
    ///
    /// - Parameter identifier: The name of the journal; nil for a manager without one.
    func platformPeripheral(restoring identifier: String?) -> PeripheralManager {
        var configuration = PeripheralManager.Configuration.tool(clock: .continuous, isVerbose: verbose)
        configuration.restoreIdentifier = identifier
        #if os(Linux)
        if case .shared(let path) = backend {
            return PeripheralManager(
                backend: HostedRadio.peripheral(at: path, seed: seed ?? 1), configuration: configuration)
        }
        return PeripheralManager(adapter: selection, configuration: configuration)
        #else
        return PeripheralManager(configuration: configuration)
        #endif
    }

    #if os(Linux)
    var selection: AdapterSelection { adapter.map { AdapterSelection(text: $0) } ?? .default }
    #endif

    private func use(
        _ central: CentralManager, _ clock: BlueCapClock,
        _ body: @Sendable (CentralManager, BlueCapClock) async throws -> Void
    ) async throws {
        do {
            try await body(central, clock)
        } catch {
            await OrderlyEnd.of(central)
            throw error
        }
        await OrderlyEnd.of(central)
    }
}

extension CentralManager.Configuration {
    /// The tool's own.
    static func tool(clock: BlueCapClock, isVerbose: Bool = false) -> Self {
        var configuration = Self(clock: clock, profiles: KnownProfiles.manager)
        configuration.logger = configuration.logger.ofTool(isVerbose: isVerbose)
        return configuration
    }
}

extension CentralManager {
    /// Waits for the radio.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` or ``ToolStatus/notAuthorized``, with advice.
    func requireRadio() async throws {
        do throws(CentralManagerError) {
            try await whenPoweredOn(timeout: .seconds(5))
        } catch {
            if error == .cancelled || error == .invalidated { throw error }
            throw CommandFailure(noRadio: error, isTimeout: error == .powerOnTimeout, state)
        }
    }
}
