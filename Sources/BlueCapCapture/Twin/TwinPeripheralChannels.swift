// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Takes the channels on one PSM of a twin that a manager offers, and treats each as the twin's firmware does.
struct TwinPeripheralChannels: Sendable {
    let description: TwinChannel
    let clock: BlueCapClock

    /// Publishes the PSM and serves its channels, until the task is cancelled.
    ///
    /// - Parameter published: Receives the PSM when it is published, or the error with which it was not.
    func run(on manager: PeripheralManager, published: @Sendable (TwinChannel, ChannelError?) -> Void) async {
        do throws(ChannelError) {
            let channels = try await manager.publishChannel(
                psm: description.psm, encrypted: description.isEncrypted,
                maximumReceiveLength: description.maximumReceiveLength, timeout: .seconds(10))
            published(description, nil)
            await withDiscardingTaskGroup { group in
                do throws(ChannelError) {
                    for try await channel in channels { group.addTask { await serve(channel) } }
                } catch {
                    // The radio went off, and the channels with it.
                }
                group.cancelAll()
            }
        } catch {
            published(description, error)
        }
    }

    private func serve(_ channel: Channel) async {
        let received = Received()
        async let playing: Void = play(over: channel, after: received)
        if description.behaviour == .stall {
            // Nothing is taken, so that the end shows in the state alone.
            while channel.isOpen, !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) }
        } else {
            do throws(ChannelError) { try await take(over: channel, received) } catch {
                // The link or the radio is gone, or the central broke a rule.
            }
        }
        received.finish()
        await playing
        channel.close()
    }

    private func take(over channel: Channel, _ received: Received) async throws(ChannelError) {
        for try await unit in channel {
            if description.behaviour == .echo, unit.count <= channel.maximumSendLength { try await channel.send(unit) }
            received.add()
        }
    }

    private func play(over channel: Channel, after received: Received) async {
        for unit in description.units {
            guard await received.reaches(unit.received) else { return }
            do { try await clock.sleep(for: unit.after) } catch { return }
            guard (1...max(channel.maximumSendLength, 1)).contains(unit.value.count) else { continue }
            do throws(ChannelError) { try await channel.send(unit.value) } catch { return }
        }
        if let count = description.closesAfter, await received.reaches(count) { channel.close() }
    }
}

/// How many units of a central have come.
private final class Received: Sendable {
    private let count = Locked(0)
    /// Has an element where the count is another one than at the last look.
    private let changes = Mailbox<Void, Never>(capacity: .newest(1))

    func add() {
        count.withLock { $0 += 1 }
        _ = changes.push(())
    }

    /// No more units come.
    func finish() { changes.close() }

    /// Waits until the count is reached.
    ///
    /// - Returns: False where no more units come, or the task is cancelled.
    func reaches(_ wanted: Int) async -> Bool {
        while count.withLock({ $0 }) < wanted {
            if await changes.next() == nil { return false }
        }
        return true
    }
}
