// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapLoop
package import BlueCapSerDe
package import BlueCapTesting
import BlueCapDBus

/// A central on the far side of the fake's adapter: the daemon serves its requests as in `serve.trace`,
/// `serve-errors.trace` and `serve-by-sockets.trace`.
package struct FakeFarCentral: FarCentral {
    let fake: FakeBlueZ
    let index: Int

    /// Calls `body` on the fake's thread with the closure that ends the call.
    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (FakeCentralLink, @escaping @Sendable (Value) -> Void) -> Void
    ) async throws -> Value {
        let index = index
        return try await withCheckedThrowingContinuation { continuation in
            fake.loop.submit {
                // SAFETY: `loop` is the fake's own executor.
                fake.assumeIsolated { fake in
                    do {
                        try fake.with { daemon in
                            body(daemon.farCentral(index)) { continuation.resume(returning: $0) }
                        }
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        }
    }

    package func listen(for duration: Duration) async throws -> [HeardDevice] {
        // A message that a program was about to send gets time to arrive; the first answer may overtake a job that its
        // thread has just received.
        for _ in 0..<2 { await fake.settle() }
        return try await fake.with { daemon in
            daemon.server.sent.map { sent in
                var device = sent.device
                device.count = Int(duration / sent.interval)
                return device
            }
        }
    }

    package func hear(
        _ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool
    ) async throws -> HeardDevice {
        while true {
            let heard = try await fake.with { $0.server.sent.map(\.device) }
            if let device = heard.first(where: { isWanted($0.advertisements) }) { return device }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    package func connect(to device: HeardDevice) async throws -> [FarService] {
        let index = index
        return try await fake.with { daemon in
            daemon.farCentral(index).connect()
            return daemon.server.services
        }
    }

    package func discover() async throws -> [FarService] { try await fake.with { $0.server.services } }

    package func serviceChange() async throws -> ClosedRange<AttributeID>? {
        let handles: ClosedRange<AttributeID> = try await perform { $0.takeChange($1) }
        return handles
    }

    package func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError> {
        try await perform { $0.read(attribute, $1) }
    }

    package func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool
    ) async throws -> Result<Void, ATTError> {
        try await perform { $0.write(value, to: attribute, isCommand: isCommand, $1) }
    }

    package func subscribe(to attribute: AttributeID, indications: Bool) async throws {
        guard try await perform({ $0.subscribe(to: attribute, $1) }) else {
            throw FakeError.refused("a subscription to \(attribute)")
        }
    }

    package func unsubscribe(from attribute: AttributeID) async throws {
        let _: Bool = try await perform { $0.unsubscribe(from: attribute, $1) }
    }

    package func received(from attribute: AttributeID, count: Int) async throws -> [Bytes] {
        try await perform { $0.take(attribute, count, $1) }
    }

    package func pair() async throws -> Bool { try await perform { $0.pair($1) } }

    package func disconnect() async throws {
        let index = index
        try? await fake.with { $0.farCentral(index).disconnect() }
    }
}
#endif
