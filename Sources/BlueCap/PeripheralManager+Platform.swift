// SPDX-License-Identifier: MIT

public import BlueCapCore

#if os(Linux)
public import BlueCapBlueZ
#endif

extension PeripheralManager {
    /// A manager over the platform's radio: BlueZ on Linux, where this build has it.
    ///
    /// Elsewhere the manager's state is `.unsupported`, and `whenPoweredOn` and every command throw `.backend` with
    /// what is missing and which package to install.
    public init(configuration: Configuration = Configuration()) {
        #if os(Linux)
        self.init(adapter: .default, configuration: configuration)
        #else
        self.init(backend: UnavailablePeripheralBackend(failure: .noPlatformRadio), configuration: configuration)
        #endif
    }

    #if os(Linux)
    /// A manager over BlueZ, where this build has it, on a chosen adapter; otherwise as ``init(configuration:)``.
    public init(adapter: AdapterSelection, configuration: Configuration = Configuration()) {
        #if BlueZ
        self.init(backend: BlueZPeripheralBackend(adapter: adapter), configuration: configuration)
        #else
        self.init(backend: UnavailablePeripheralBackend(failure: .noPlatformRadio), configuration: configuration)
        #endif
    }
    #endif
}
