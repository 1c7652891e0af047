// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import BlueCapRuntime

/// The subscribers of one characteristic, and the ways to them. Loop only.
final class Notifier {
    /// A socket for the values of one subscriber, or of several that the daemon does not name.
    struct Socket {
        let number: Int
        /// The central that the daemon named, until it leaves and the socket stays.
        var device: String?
        var central: Central
        let writer: PacketWriter
    }

    let path: String
    private(set) var sockets: [Socket] = []
    /// Whether the daemon passes changes of `Value` on, to all subscribers together.
    var isStarted = false
    /// The bonded centrals that left while they were subscribed. The daemon keeps their subscriptions, passes changes
    /// of `Value` on when they are back, and does not report that.
    private(set) var returning: Set<String> = []
    /// The bonded centrals whose sockets have just closed, at the end of their subscriptions or of their links, each
    /// with the number of that event.
    private var closing: [String: Int] = [:]
    /// Whether the daemon keeps subscriptions of centrals that it does not know any more.
    private var hasForgotten = false
    /// Whether subscribers without a name were reported to the manager.
    var hasUnnamed = false
    private var confirmation: (request: RequestID, limit: ClockTimer)?
    private var last = 0
    /// How many changes of `Value` went out without a wait since the last one that the daemon is known to have read.
    private var signalledCount = 0
    /// How many may.
    private static let signalledLimit = 63

    init(path: String) { self.path = path }

    deinit { confirmation?.limit.cancel() }

    /// The subscribed centrals, as they were reported to the manager.
    var subscribers: [Central] {
        sockets.filter { $0.device != nil }.map(\.central) + (hasUnnamed ? [.allSubscribers] : [])
    }

    /// Whether nothing is known of any subscriber, present or not.
    var isEmpty: Bool { sockets.isEmpty && !isStarted && returning.isEmpty && closing.isEmpty && !hasForgotten }

    /// Whether the daemon serves subscribers that it does not name, if such are connected.
    var servesUnnamed: Bool { isStarted || sockets.contains { $0.device == nil } }

    /// Counts a change of `Value` that goes out.
    ///
    /// - Returns: Whether to wait until the daemon has read it.
    func countSignal() -> Bool {
        signalledCount = signalledCount == Self.signalledLimit ? 0 : signalledCount + 1
        return signalledCount == 0
    }

    // MARK: Sockets

    func add(_ writer: PacketWriter, number: Int, for device: String?, _ central: Central) {
        if let device {
            returning.remove(device)
            closing[device] = nil
        }
        sockets.append(Socket(number: number, device: device, central: central, writer: writer))
    }

    func socket(_ number: Int) -> Socket? { sockets.first { $0.number == number } }

    func remove(_ number: Int) { sockets.removeAll { $0.number == number } }

    /// The central that a socket is named after has left; the socket is for others.
    func unname(_ number: Int) {
        guard let index = sockets.firstIndex(where: { $0.number == number }) else { return }
        sockets[index].device = nil
        sockets[index].central = .allSubscribers
    }

    /// A number for a socket or an event, which no other has.
    func makeNumber() -> Int {
        last += 1
        return last
    }

    // MARK: Bonded centrals

    /// The socket of a bonded central has closed; returns the number of that event.
    func closed(_ device: String) -> Int {
        let event = makeNumber()
        closing[device] = event
        return event
    }

    /// It was the end of its subscription, as the link has not ended with it.
    func unsubscribed(_ device: String, _ event: Int) { if closing[device] == event { closing[device] = nil } }

    /// The link of a central has ended, and its socket with it.
    ///
    /// - Parameter isKept: Whether the daemon keeps its subscription, as it is bonded.
    func left(_ device: String, isKept: Bool) {
        let wasClosing = closing.removeValue(forKey: device) != nil
        if !isKept {
            returning.remove(device)
        } else if wasClosing || sockets.contains(where: { $0.device == device }) {
            returning.insert(device)
        }
    }

    /// The daemon has no subscriber left, present or not.
    func stop() {
        for socket in sockets { socket.writer.close() }
        sockets = []
        isStarted = false
        returning = []
        hasForgotten = false
    }

    /// Whether a device that the daemon no longer knows may have been subscribed.
    func maySubscribe(_ device: String, isBonded: Bool) -> Bool {
        if returning.contains(device) { return true }
        return isBonded && (servesUnnamed || sockets.contains { $0.device == device })
    }

    /// The daemon does not know a central any more, and keeps its subscription.
    func forget(_ device: String) {
        returning.remove(device)
        hasForgotten = true
    }

    /// Returns whether there are forgotten subscribers; from now on there are none.
    func takeForgotten() -> Bool {
        defer { hasForgotten = false }
        return hasForgotten
    }

    /// The radio is off. Of the subscriptions those of bonded centrals stay: without their sockets or, where one socket
    /// is for all, with that, which the daemon closes when no subscriber is left.
    func radioLost(sharesSocket: Bool, isBonded: (String) -> Bool) {
        for socket in sockets {
            if sharesSocket {
                unname(socket.number)
            } else {
                if let device = socket.device, isBonded(device) { left(device, isKept: true) }
                socket.writer.close()
            }
        }
        if !sharesSocket { sockets = [] }
        reset()
    }

    // MARK: Confirmations

    /// An indication was sent.
    func expectConfirmation(of request: RequestID, limit: ClockTimer) { confirmation = (request, limit) }

    /// The request of the indication that was sent last, if it is not answered; it is from now on.
    func takeConfirmation() -> RequestID? {
        defer { confirmation = nil }
        confirmation?.limit.cancel()
        return confirmation?.request
    }

    /// The request of the indication that waits for its confirmation.
    var awaited: RequestID? { confirmation?.request }

    func close() {
        stop()
        closing = [:]
        reset()
    }

    /// Forgets the unnamed subscribers and the confirmation, which the manager takes for ended.
    private func reset() {
        hasUnnamed = false
        _ = takeConfirmation()
    }
}
#endif
