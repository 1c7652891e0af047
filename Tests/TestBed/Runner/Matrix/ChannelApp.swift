// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// A program that opens a channel, and sends units over it that the other device sends back.
final class ChannelApp: MatrixApp {
    private static let psm: UInt16 = 0x80

    private let log: MatrixLog
    private let central: CentralManager
    private let peripheral: Peripheral
    /// The number of the last unit that was sent, and of the last that came back.
    private let sent = Locked<UInt32>(0)
    private let received = Locked<UInt32>(0)

    init(in world: BedWorld, _ log: MatrixLog) async throws {
        self.log = log
        (_, peripheral, central) = try await ChannelBehaviours.connected(
            TwinChannel(psm: Self.psm, behaviour: .echo), in: world)
        peripheral.reconnectPolicy = .matrix
    }

    func states() -> AsyncStream<ManagerState> { central.states() }

    func connectionEvents() -> AsyncStream<ConnectionEvent> { peripheral.connectionEvents() }

    // MARK: The program

    func run() async {
        while !Task.isCancelled {
            do {
                while !peripheral.isConnected { try await pause(.milliseconds(5)) }
                try await exchange(over: try await peripheral.openChannel(psm: Self.psm, timeout: .seconds(5)))
                log.ended("the channel's end")
            } catch { log.failed(error) }
            try? await pause(.milliseconds(5))
        }
    }

    /// Returns when the channel has ended without an error.
    private func exchange(over channel: Channel) async throws {
        var units = channel.makeAsyncIterator()
        while true {
            let number = sent.withLock { number in
                number += 1
                return number
            }
            try await channel.send(SerDe.serialize(number))
            guard let unit = try await units.next() else { return try Task.checkCancellation() }
            let back = try SerDe.deserialize(unit, as: UInt32.self)
            received.withLock { $0 = back }
            log.succeeded()
            try await pause(.milliseconds(20))
        }
    }

    private func pause(_ duration: Duration) async throws { try await BlueCapClock.continuous.sleep(for: duration) }

    // MARK: The fault

    func isUnderWay() async throws { try await log.success() }

    func changeServices() async throws {}

    func release() async throws {}

    func works(after fault: MatrixFault) async throws {
        let first = sent.withLock { $0 }
        try await log.wait { _ in received.withLock { $0 } > first }
    }
}
#endif
