// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// A program that publishes a channel and sends units to the far central that opens it.
final class PublishedChannelApp: MatrixApp {
    private static let name = "Ours"
    private static let psm: UInt16 = 0x80

    private let log: MatrixLog
    private let manager: PeripheralManager
    private let far: BedCentral
    /// The far central's number of the channel; nil without one.
    private let open = Locked<Int?>(nil)

    init(in world: BedWorld, _ log: MatrixLog) async throws {
        self.log = log
        manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        try await manager.startAdvertising(Self.name)
        far = try await world.makeFarCentral(0)
    }

    func states() -> AsyncStream<ManagerState> { manager.states() }

    func connectionEvents() -> AsyncStream<ConnectionEvent> { AsyncStream { nil } }

    // MARK: The program

    func run() async {
        while !Task.isCancelled {
            do {
                try await manager.whenPoweredOn()
                for try await channel in try await manager.publishChannel(psm: Self.psm, timeout: .seconds(5)) {
                    await send(over: channel)
                }
            } catch { log.failed(error) }
            try? await pause()
        }
    }

    /// Sends until the channel has ended, which is not the end of the program.
    private func send(over channel: Channel) async {
        var number: UInt8 = 0
        do {
            while true {
                try await channel.send([number])
                log.succeeded()
                number &+= 1
                try await pause()
            }
        } catch { log.failed(error) }
    }

    private func pause() async throws { try await BlueCapClock.continuous.sleep(for: .milliseconds(20)) }

    // MARK: The far central

    /// Waits for a unit that came after the call, of a channel that is opened where there is none.
    private func ask() async throws {
        if let number = open.withLock({ $0 }) {
            _ = try await far.units(of: number, count: 0)
            _ = try await far.units(of: number, count: 1)
            return
        }
        _ = try await far.connect(to: try await far.hear { $0.localName == Self.name })
        let number = try await far.openChannel(psm: Self.psm).get()
        _ = try await far.units(of: number, count: 1)
        open.withLock { $0 = number }
    }

    // MARK: The fault

    func isUnderWay() async throws { try await untilAsked() }

    func changeServices() async throws {}

    func release() async throws {}

    func works(after fault: MatrixFault) async throws {
        // bluetoothd may have left a link standing that leads nowhere.
        if fault.endsLinks { try await hangUp() }
        try await untilAsked()
    }

    private func untilAsked() async throws {
        while true {
            do { return try await ask() } catch is CancellationError { throw CancellationError() } catch {
                try await pause()
                try await hangUp()
            }
        }
    }

    private func hangUp() async throws {
        open.withLock { $0 = nil }
        try await far.disconnect()
    }
}
#endif
