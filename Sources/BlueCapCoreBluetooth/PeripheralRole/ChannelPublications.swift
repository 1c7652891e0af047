// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapRuntime
import CoreBluetooth
import Foundation

/// The PSMs on which channels are taken, and those channels.
///
/// The callback of a publication names neither its request nor its encryption, so one is made after another. When it
/// stays away, no other one is made until the radio was off: its late answer could be taken for that of one with
/// encryption.
final class ChannelPublications {
    typealias Backend = CoreBluetoothPeripheralBackend

    private struct Publication {
        let request: RequestID
        let isEncrypted: Bool
        let maximumReceiveLength: Int
        /// Whether the request has failed, as no answer came.
        var isOverdue = false
    }

    private struct Listener {
        let maximumReceiveLength: Int
        var isWithdrawn = false
    }

    /// The time that CoreBluetooth may take to publish a PSM.
    private static let patience = Duration.seconds(30)
    /// The PSMs that a system may choose (Core Specification, Vol 3, Part A, 4.22).
    private static let range: ClosedRange<UInt16> = 0x80...0xFF

    let channels = OpenChannels()
    private var waiting = RingBuffer<Publication>()
    private var current: Publication?
    private var timer: ClockTimer?
    private var listeners: [UInt16: Listener] = [:]
    /// The PSMs that are being taken back, or have to be when the radio is on again.
    private var leaving: Set<UInt16> = []

    // MARK: Publishing

    func add(
        isEncrypted: Bool, maximumReceiveLength: Int, _ request: RequestID, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        if current?.isOverdue == true { return backend.answer(request, channel: .failure(.backend(.unpublished))) }
        waiting.append(
            Publication(request: request, isEncrypted: isEncrypted, maximumReceiveLength: maximumReceiveLength))
        begin(manager, backend)
    }

    private func begin(_ manager: CBPeripheralManager, _ backend: isolated Backend) {
        guard current == nil, let next = waiting.popFirst() else { return }
        current = next
        let request = next.request
        timer = backend.clock.schedule(after: Self.patience) { [weak backend] in
            backend?.later { $0.publications.overdue(request, $0) }
        }
        manager.publishL2CAPChannel(withEncryption: next.isEncrypted)
    }

    private func overdue(_ request: RequestID, _ backend: isolated Backend) {
        guard current?.request == request, current?.isOverdue == false else { return }
        current?.isOverdue = true
        backend.tell(.reply(request, .failure(.backend(.unpublished))))
        while let next = waiting.popFirst() {
            backend.tell(.reply(next.request, .failure(.backend(.unpublished))))
        }
    }

    /// CoreBluetooth has published a PSM, or has not.
    func published(_ psm: UInt16, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let publication = current, let manager = backend.radio.poweredOn else { return backend.countStray() }
        current = nil
        stopTimer()
        let isUsable = error == nil && Self.range.contains(psm) && listeners[psm] == nil
        if publication.isOverdue {
            backend.countStray()
            if isUsable { unpublish(psm, manager) }
        } else if isUsable {
            leaving.remove(psm)
            listeners[psm] = Listener(maximumReceiveLength: publication.maximumReceiveLength)
            backend.tell(.reply(publication.request, .success(.published(psm: psm))))
        } else {
            let reason = error.map { ChannelError(stream: $0) } ?? .backend(.unusablePSM(psm))
            if error == nil, listeners[psm] == nil { unpublish(psm, manager) }
            backend.tell(.reply(publication.request, .failure(reason)))
        }
        begin(manager, backend)
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    // MARK: Taking back

    /// L1: taking a PSM back closes its channels, so it waits for their ends. Until then those that come are closed.
    func withdraw(_ psm: UInt16, _ backend: isolated Backend) {
        listeners[psm]?.isWithdrawn = true
        ended(psm, backend)
    }

    /// A channel to a PSM has ended.
    func ended(_ psm: UInt16, _ backend: isolated Backend) {
        guard listeners[psm]?.isWithdrawn == true, !channels.hasChannel(to: psm),
            let manager = backend.radio.poweredOn
        else { return }
        listeners[psm] = nil
        unpublish(psm, manager)
    }

    private func unpublish(_ psm: UInt16, _ manager: CBPeripheralManager) {
        leaving.insert(psm)
        manager.unpublishL2CAPChannel(psm)
    }

    /// CoreBluetooth has taken a PSM back. One that it takes back by itself has closed its channels.
    func unpublished(_ psm: UInt16, _ backend: isolated Backend) {
        if leaving.remove(psm) == nil { backend.countStray() }
    }

    // MARK: Channels

    /// A central has opened a channel.
    func opened(_ object: CBL2CAPChannel?, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let object, error == nil, let listener = listeners[object.psm], !listener.isWithdrawn,
            let identifier = object.peer?.identifier, backend.radio.poweredOn != nil
        else {
            object?.refuse()
            return backend.countStray()
        }
        let peer = PeerIdentifier(identifier.uuidString)
        guard !channels.isFull(peer),
            channels.begin(
                object, to: peer, maximumReceiveLength: listener.maximumReceiveLength, backend, { .accepted($0) })
        else {
            object.refuse()
            return backend.countStray()
        }
    }

    // MARK: The end of all

    /// The radio is off: all PSMs have ended for the manager. Whether the system forgets them is not known.
    func drop() {
        stopTimer()
        leaving.formUnion(listeners.keys)
        (waiting, current, listeners) = (RingBuffer(), nil, [:])
        channels.dropAll()
    }

    /// The radio is on again: no PSM of before is left.
    func clear(_ manager: CBPeripheralManager) {
        for psm in leaving { manager.unpublishL2CAPChannel(psm) }
    }

    /// Takes all PSMs back, of which nothing more is reported.
    func end(_ manager: CBPeripheralManager?) {
        let psms = listeners.keys.sorted()
        drop()
        leaving = []
        for psm in psms { manager?.unpublishL2CAPChannel(psm) }
    }
}

extension BackendFailure {
    fileprivate static var unpublished: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.unansweredPublication",
            message: "CoreBluetooth did not say within half a minute whether a PSM is published",
            advice: "switch Bluetooth off and on, and publish again")
    }

    fileprivate static func unusablePSM(_ psm: UInt16) -> BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.unusablePSM", message: "CoreBluetooth chose \(psm), which is no free PSM of LE",
            advice: "publish again", isTransient: true)
    }
}
#endif
