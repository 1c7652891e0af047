// SPDX-License-Identifier: MIT

public import BlueCapCore

extension UnavailableCentralBackend {
    /// Creates a backend that is unavailable for the given reason, on a queue of its own.
    public init(failure: BackendFailure) {
        self.init(failure: failure, executor: DispatchBackendExecutor(label: "bluecap.unavailable"))
    }
}

extension UnavailablePeripheralBackend {
    /// Creates a backend that is unavailable for the given reason, on a queue of its own.
    public init(failure: BackendFailure) {
        self.init(failure: failure, executor: DispatchBackendExecutor(label: "bluecap.unavailable"))
    }
}
