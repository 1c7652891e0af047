// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// The wish of the system, or of the terminal, that this process ends.
final class StopSignal: Sendable {
    /// Kept, as a source that is released ends.
    private let sources: Mutex<[any DispatchSourceSignal]>
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    /// Takes SIGTERM and SIGINT, which end the process no longer.
    init() {
        let (requests, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.requests = requests
        self.request = request
        sources = Mutex(
            [SIGTERM, SIGINT].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { request.finish() }
                source.resume()
                return source
            })
    }

    /// Asks for the end from within.
    func stop() { request.finish() }

    /// Returns when the end was asked for, or for a cancelled task.
    func wait() async { for await _ in requests {} }
}
