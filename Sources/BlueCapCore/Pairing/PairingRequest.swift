// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A question that pairing asks the app, answered exactly once.
///
/// Get them from ``CentralManager/pairingRequests(capability:)`` or ``PeripheralManager/pairingRequests(capability:)``.
/// A request that is released without an answer is rejected; one that is kept outlives its stream. Answers may be given
/// from any thread. Pairing is given up 30 seconds after its last packet (Core Specification, Vol 3, Part H, 3.4), on
/// BlueZ too; the 60 seconds that bluetoothd waits for an agent count for ``Kind/authorizeService(_:)`` only.
public final class PairingRequest: Sendable {
    /// The questions that a platform asks while pairing.
    ///
    /// A minor version may add cases: a `switch` outside of the package needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// Whether the other side shows the same six digits. Show them with leading zeros.
        case confirm(passkey: UInt32)
        /// The passkey that the other side shows.
        case enterPasskey
        /// Nothing: show the passkey, with leading zeros, to be typed at the other side. No answer is taken; the
        /// request is over when ``PairingRequest/isOpen`` is false.
        case displayPasskey(UInt32)
        /// Whether to pair at all, although the other side cannot be authenticated (Just Works).
        case authorize
        /// Whether the other side, which is paired, may use a service.
        case authorizeService(BluetoothUUID)
    }

    /// The question, with the passkey where there is one.
    public let kind: Kind
    /// The device on the other side: the peripheral of a central, the central of a peripheral.
    public let peer: PeerIdentifier
    let ticket: PairingTicket

    init(_ prompt: PairingPrompt, ticket: PairingTicket) {
        kind = prompt.kind
        peer = prompt.peer
        self.ticket = ticket
    }

    deinit { ticket.abandon() }

    /// Whether it can still be answered, or is still to be shown: false once it is answered or the platform waits no
    /// more.
    public var isOpen: Bool { ticket.isOpen }

    /// Agrees to what was asked.
    ///
    /// - Returns: False when it was answered before, it is too late, or agreement is no answer: ``Kind/enterPasskey``
    ///   and ``Kind/displayPasskey(_:)``.
    @discardableResult
    public func accept() -> Bool {
        switch kind {
        case .enterPasskey, .displayPasskey: false
        case .confirm, .authorize, .authorizeService: ticket.send(.accept)
        }
    }

    /// Answers ``Kind/enterPasskey`` with the passkey.
    ///
    /// - Parameter passkey: What the other side shows, 0 to 999999.
    /// - Returns: False when it was answered before, it is too late, the number has more than six digits, or no passkey
    ///   is asked for.
    @discardableResult
    public func accept(passkey: UInt32) -> Bool {
        guard kind == .enterPasskey, passkey <= 999_999 else { return false }
        return ticket.send(.passkey(passkey))
    }

    /// Refuses what was asked, which ends the pairing.
    ///
    /// - Returns: False when it was answered before, it is too late, or nothing was asked
    ///   (``Kind/displayPasskey(_:)``).
    @discardableResult
    public func reject() -> Bool { ticket.send(.reject) }
}

extension PairingRequest: CustomStringConvertible {
    /// The device and its question, without the passkey.
    public var description: String {
        switch kind {
        case .confirm: "\(peer) asks to compare a passkey"
        case .enterPasskey: "\(peer) asks for its passkey"
        case .displayPasskey: "\(peer) waits for the passkey to be typed"
        case .authorize: "\(peer) asks to pair"
        case .authorizeService(let uuid): "\(peer) asks to use \(uuid)"
        }
    }
}

/// The right to answer one question, used once, from anywhere.
final class PairingTicket: Sendable {
    /// Whether the platform waits for an answer, rather than only having something shown.
    let isAnswerable: Bool
    private let pass: @Sendable (PairingAnswer) -> Void
    private let openness = Locked(true)

    /// - Parameter pass: Brings the answer to the manager, or that what was shown is looked at no more.
    init(isAnswerable: Bool, pass: @escaping @Sendable (PairingAnswer) -> Void) {
        self.isAnswerable = isAnswerable
        self.pass = pass
    }

    var isOpen: Bool { openness.withLock { $0 } }

    /// Answers; false when that is not possible any more.
    func send(_ answer: PairingAnswer) -> Bool {
        guard isAnswerable, close() else { return false }
        pass(answer)
        return true
    }

    /// Nobody can answer any more.
    func abandon() {
        if close() { pass(.reject) }
    }

    /// The question is over. False when it was before.
    @discardableResult
    func close() -> Bool {
        openness.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
    }
}

/// The answer to a ``PairingPrompt``.
public enum PairingAnswer: Sendable, Hashable {
    /// Agrees to what was asked: the passkeys are equal, or the device may pair or use the service.
    case accept
    /// The passkey that the other side shows, 0 to 999999.
    case passkey(UInt32)
    /// Refuses what was asked; the pairing fails.
    case reject
}
