// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A question to the app during pairing, which is answered exactly once.
///
/// Get requests from ``CentralManager/pairingRequests(capability:)`` or
/// ``PeripheralManager/pairingRequests(capability:)``. A request that is released without an answer is rejected. A
/// request that is kept stays valid after its stream ends. Answers may be given from any thread. Pairing is given up 30
/// seconds after its last packet (Core Specification, Vol 3, Part H, 3.4), on BlueZ too; the 60 seconds that bluetoothd
/// waits for an agent count for ``Kind/authorizeService(_:)`` only.
public final class PairingRequest: Sendable {
    /// The kind of question that a platform asks during pairing.
    ///
    /// A minor version may add cases: a `switch` outside of the package needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// Asks if the other side shows the same six digits.
        ///
        /// Show them with leading zeros.
        case confirm(passkey: UInt32)
        /// Asks for the passkey that the other side shows.
        case enterPasskey
        /// Asks to show the passkey, with leading zeros, which the user types at the other side.
        ///
        /// The request takes no answer and is over when ``PairingRequest/isOpen`` is false.
        case displayPasskey(UInt32)
        /// Asks for permission to pair, although the other side cannot be authenticated (Just Works).
        case authorize
        /// Asks if the other side, which is paired, may use a service.
        case authorizeService(BluetoothUUID)
    }

    /// The question, with the passkey if there is one.
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

    /// A Boolean value that is true while the request can be answered or is to be shown.
    ///
    /// It is false once the request is answered or the platform no longer waits.
    public var isOpen: Bool { ticket.isOpen }

    /// Agrees to the request.
    ///
    /// - Returns: False if the request was answered before, the time for an answer is over, or agreement is not an
    ///   answer to it: ``Kind/enterPasskey`` and ``Kind/displayPasskey(_:)``.
    @discardableResult
    public func accept() -> Bool {
        switch kind {
        case .enterPasskey, .displayPasskey: false
        case .confirm, .authorize, .authorizeService: ticket.send(.accept)
        }
    }

    /// Answers ``Kind/enterPasskey`` with the passkey.
    ///
    /// - Parameter passkey: The passkey that the other side shows, 0 to 999999.
    /// - Returns: False if the request was answered before, the time for an answer is over, the number has more than
    ///   six digits, or the request does not ask for a passkey.
    @discardableResult
    public func accept(passkey: UInt32) -> Bool {
        guard kind == .enterPasskey, passkey <= 999_999 else { return false }
        return ticket.send(.passkey(passkey))
    }

    /// Refuses the request, which ends the pairing.
    ///
    /// - Returns: False if the request was answered before, the time for an answer is over, or the request takes no
    ///   answer (``Kind/displayPasskey(_:)``).
    @discardableResult
    public func reject() -> Bool { ticket.send(.reject) }
}

extension PairingRequest: CustomStringConvertible {
    /// The device and the question, without the passkey.
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

/// The right to answer one question once, from any thread.
final class PairingTicket: Sendable {
    /// A Boolean value that is true if the platform waits for an answer, and false if it only has a passkey shown.
    let isAnswerable: Bool
    private let pass: @Sendable (PairingAnswer) -> Void
    private let openness = Locked(true)

    /// - Parameter pass: Passes the answer to the manager, or reports that a shown passkey is no longer needed.
    init(isAnswerable: Bool, pass: @escaping @Sendable (PairingAnswer) -> Void) {
        self.isAnswerable = isAnswerable
        self.pass = pass
    }

    var isOpen: Bool { openness.withLock { $0 } }

    /// Sends an answer. Returns false if an answer is no longer possible.
    func send(_ answer: PairingAnswer) -> Bool {
        guard isAnswerable, close() else { return false }
        pass(answer)
        return true
    }

    /// Rejects the question if it is still open, because no holder of the request is left.
    func abandon() { if close() { pass(.reject) } }

    /// Closes the question. Returns false if it was closed before.
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
    /// Agrees to the request: the passkeys are equal, or the device may pair or use the service.
    case accept
    /// The passkey that the other side shows, 0 to 999999.
    case passkey(UInt32)
    /// Refuses the request; the pairing fails.
    case reject
}
