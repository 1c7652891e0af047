// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import CoreBluetooth

/// The channels that are being opened over one link.
///
/// L2: the callback of a failure does not name its PSM, so one is opened after another. It can stay away: the next one
/// is opened then, and a channel that comes too late, or to another PSM, is closed.
final class ChannelOpenings {
    typealias Backend = CoreBluetoothCentralBackend

    private struct Opening {
        let request: RequestID
        let psm: UInt16
        let maximumReceiveLength: Int
    }

    /// The time that CoreBluetooth may take to open a channel: the longest that L2CAP waits for a first response (Core
    /// Specification, Vol 3, Part A, 6.2.1).
    private static let patience = Duration.seconds(60)

    private unowned let link: CentralLink
    private let channels: OpenChannels
    private var waiting = RingBuffer<Opening>()
    private var current: Opening?
    private var timer: ClockTimer?

    init(_ link: CentralLink, _ channels: OpenChannels) {
        self.link = link
        self.channels = channels
    }

    /// Opens a channel after those that were asked for before.
    func add(_ psm: UInt16, maximumReceiveLength: Int, _ request: RequestID, _ backend: isolated Backend) {
        waiting.append(Opening(request: request, psm: psm, maximumReceiveLength: maximumReceiveLength))
        begin(backend)
    }

    private func begin(_ backend: isolated Backend) {
        while current == nil, let opening = waiting.popFirst() {
            if channels.isFull(link.id) {
                backend.answer(opening.request, channel: .failure(.tooManyChannels))
                continue
            }
            current = opening
            timer = backend.after(Self.patience, on: link) { backend, link in
                link.openings.answer(.failure(.backend(.unanswered)), backend)
            }
            link.peripheral.openL2CAPChannel(opening.psm)
        }
    }

    /// CoreBluetooth has opened a channel, or has not.
    func opened(_ object: CBL2CAPChannel?, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let object, error == nil else {
            object?.refuse()
            if current == nil { return backend.countStray() }
            return answer(.failure(ChannelError(opening: error)), backend)
        }
        guard let opening = current, object.psm == opening.psm else {
            object.refuse()
            return backend.countStray()
        }
        let isOpen = channels.begin(
            object, to: link.id, maximumReceiveLength: opening.maximumReceiveLength, backend
        ) { .reply(opening.request, .success(.opened($0))) }
        if isOpen { next(backend) } else { answer(.failure(ChannelError(opening: nil)), backend) }
    }

    private func answer(_ result: Result<ChannelReply, ChannelError>, _ backend: isolated Backend) {
        if let opening = current { backend.tell(.reply(opening.request, result)) }
        next(backend)
    }

    private func next(_ backend: isolated Backend) {
        current = nil
        stopTimer()
        begin(backend)
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// The link has ended, and with it its channels and what was asked for.
    func end() {
        stopTimer()
        waiting = RingBuffer()
        current = nil
        channels.drop(of: link.id)
    }
}

extension BackendFailure {
    fileprivate static var unanswered: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.unansweredChannel",
            message: "CoreBluetooth did not say within a minute whether the channel is open", advice: "open it again",
            isTransient: true)
    }
}
#endif
