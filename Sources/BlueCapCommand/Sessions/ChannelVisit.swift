// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Opens a channel to a twin, sends as many units as it waits for, takes all of its units, and closes the channel.
struct ChannelVisit: Sendable {
    let central: CentralManager
    let peripheral: Peripheral
    let channel: TwinChannel
    /// How long to wait for the units.
    let patience: Duration
    let clock: BlueCapClock
    let progress: @Sendable (String) -> Void

    private static let timeout = Duration.seconds(10)
    /// The lengths of the units that are sent: shorter than a frame, and longer.
    private static let lengths = [1, 300, 2048]
    /// More units are not sent.
    private static let maximumCount = 1000

    func run() async {
        // A capture has to show that the device demands a safer link.
        if channel.isEncrypted { await attempt(isEncrypted: false) }
        let requests = channel.isEncrypted ? central.pairingRequests(capability: .noInputNoOutput) : nil
        _ = try? await Race.run(
            { await attempt(isEncrypted: channel.isEncrypted) },
            {
                if let requests { for await request in requests { request.accept() } }
                try await clock.sleepUntilCancelled()
            })
    }

    private func attempt(isEncrypted: Bool) async {
        do throws(ChannelError) {
            let open = try await peripheral.openChannel(
                psm: channel.psm, encrypted: isEncrypted, maximumReceiveLength: 65_535, timeout: Self.timeout)
            await exchange(open)
            open.close()
            let counts = open.statistics
            progress(
                "sent \(TextLayout.count(counts.sentUnitCount, "unit")) and took \(counts.receivedUnitCount) "
                    + "on PSM \(channel.psm)")
        } catch {
            progress("no channel on PSM \(channel.psm): \(error)")
        }
        // The packets of the end travel, too.
        try? await clock.sleep(for: .seconds(1))
    }

    private func exchange(_ open: Channel) async {
        let wanted = max(channel.units.map(\.received).max() ?? 0, channel.closesAfter ?? 0, 3)
        let count = min(wanted, Self.maximumCount)
        let expected = channel.units.count + (channel.behaviour == .echo ? count : 0)
        _ = try? await Race.run(
            for: patience, on: clock,
            {
                async let sending: Void = {
                    for number in 0..<count {
                        let length = min(Self.lengths[number % Self.lengths.count], open.maximumSendLength)
                        try await open.send(Bytes((0..<length).map { UInt8(truncatingIfNeeded: $0 + number) }))
                    }
                }()
                var units = open.makeAsyncIterator()
                for _ in 0..<expected { if try await units.next() == nil { return } }
                try await sending
                // The end of the channel by the device.
                if channel.closesAfter != nil { _ = try await units.next() }
            })
    }
}
