// SPDX-License-Identifier: MIT

public import BlueCapCore

#if Configuration
public import Configuration
#endif

#if os(Linux)
public import BlueCapBlueZ
#elseif os(macOS) || os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
import BlueCapCoreBluetooth
#endif

extension CentralManager {
    /// Creates a manager over the platform's radio: BlueZ on Linux, where this build has it, and CoreBluetooth on
    /// Apple's platforms.
    ///
    /// On Apple's platforms the system asks the user for the permission to use Bluetooth, and needs
    /// `NSBluetoothAlwaysUsageDescription` in the Info.plist: an app without it has the state `.unauthorized`. The
    /// system restores what the manager had under its `Configuration.restoreIdentifier`, beside the manager's own
    /// journal.
    ///
    /// Elsewhere the manager's state is `.unsupported`, and `whenPoweredOn` and every command throw `.backend` with the
    /// missing part and the package to install.
    public init(configuration: Configuration = Configuration()) {
        #if os(Linux)
        self.init(adapter: .default, configuration: configuration)
        #elseif os(macOS) || os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        let backend = CoreBluetoothCentralBackend(restoreIdentifier: configuration.restoreIdentifier)
        self.init(backend: backend, configuration: configuration)
        #else
        self.init(backend: UnavailableCentralBackend(failure: .noPlatformRadio), configuration: configuration)
        #endif
    }

    #if Configuration
    /// Creates a manager over the platform's radio with the settings of a reader of swift-configuration: the keys of
    /// its `Configuration`, and on Linux `adapter`, the name or the address of an adapter of BlueZ.
    ///
    /// - Throws: The error of the reader for a value of another type, which names the key.
    public init(_ reader: ConfigReader) async throws {
        let configuration = try await Configuration(reader)
        #if os(Linux)
        let adapter = try await reader.fetchString(forKey: "adapter")
        self.init(adapter: adapter.map { AdapterSelection(text: $0) } ?? .default, configuration: configuration)
        #else
        self.init(configuration: configuration)
        #endif
    }
    #endif

    #if os(Linux)
    /// Creates a manager over a chosen adapter of BlueZ, where this build has it; otherwise one as
    /// ``init(configuration:)`` creates.
    ///
    /// - Parameters:
    ///   - adapter: The adapter to use.
    ///   - configuration: The configuration of the manager.
    public init(adapter: AdapterSelection, configuration: Configuration = Configuration()) {
        #if BlueZ
        self.init(backend: BlueZCentralBackend(adapter: adapter), configuration: configuration)
        #else
        self.init(backend: UnavailableCentralBackend(failure: .noPlatformRadio), configuration: configuration)
        #endif
    }
    #endif
}

#if !(os(Linux) && BlueZ)
extension BackendFailure {
    /// Why this process has no radio of the platform's.
    static var noPlatformRadio: BackendFailure {
        #if os(Linux)
        BackendFailure(
            name: "BlueCap.NoBackend", message: "this program was built without the BlueZ backend",
            advice: "build it with the package trait BlueZ, which is on by default: leave 'traits: []' out of the "
                + "dependency in Package.swift")
        #elseif os(tvOS) || os(watchOS) || os(visionOS)
        BackendFailure(
            name: "CoreBluetooth.noPeripheralRole", message: "this platform has no peripheral role for apps",
            advice: "use iOS or macOS")
        #else
        BackendFailure(
            name: "BlueCap.NoBackend", message: "BlueCap has no backend for this platform's Bluetooth",
            advice: "use a virtual radio, or run on Linux with BlueZ or on a platform of Apple's")
        #endif
    }
}
#endif
