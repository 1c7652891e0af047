// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A central's write to a characteristic, which the app accepts or refuses, exactly once.
///
/// ```swift
/// for await request in characteristic.writeRequests() {
///     if request.value.count == 1 {
///         request.accept()                            // now it is the characteristic's value
///     } else {
///         request.respond(.invalidAttributeValueLength)
///     }
/// }
/// ```
///
/// The characteristic's value stays as it is until ``accept()``. A request that is released without an answer is
/// answered with `.unlikelyError`, and so is one that is not answered in time
/// (``PeripheralManager/Configuration/requestTimeLimit``). Answers may be given from any thread.
public final class WriteRequest: Sendable {
    /// The characteristic that is to be written.
    public let characteristic: MutableCharacteristic
    /// What is written.
    public let value: Bytes
    /// Where in the value; what is before it stays.
    public let offset: Int
    /// The central that writes; nil where the platform does not report it.
    public let central: Central?
    /// How it is written. No answer reaches the central for a command; nor is it needed, but it does no harm.
    public let kind: WriteRequestKind
    let ticket: AccessTicket

    init(
        _ characteristic: MutableCharacteristic, value: Bytes, offset: Int, kind: WriteRequestKind, central: Central?,
        ticket: AccessTicket
    ) {
        self.characteristic = characteristic
        self.value = value
        self.offset = offset
        self.kind = kind
        self.central = central
        self.ticket = ticket
    }

    deinit { ticket.abandon() }

    /// Whether it can still be answered.
    public var isOpen: Bool { ticket.isOpen }

    /// Puts the bytes into the characteristic's value and answers success.
    ///
    /// - Returns: False when it was answered before, when it is too late, or when the offset is beyond the value's end
    ///   or the value would be longer than 512 bytes: `.invalidOffset` or `.invalidAttributeValueLength` is answered
    ///   then.
    @discardableResult
    public func accept() -> Bool {
        guard ticket.claim() else { return false }
        if let error = characteristic.commit(value, at: offset) {
            _ = ticket.send(error)
            return false
        }
        return ticket.send(Bytes())
    }

    /// Accepts the write as one that gives the characteristic this value as a whole.
    func accept(wholeValue: Bytes) -> Bool {
        guard ticket.claim() else { return false }
        characteristic.value = wholeValue
        return ticket.send(Bytes())
    }

    /// Refuses a write after which the value would be none of its type.
    func refuse(_ error: SerDeError) {
        guard ticket.claim() else { return }
        ticket.refuse(error)
    }

    /// Answers with an error, or with `.success`, which leaves the value as it is: the app sets it.
    ///
    /// - Returns: False when it was answered before or it is too late; false too when 0x0E, Unlikely Error, is sent in
    ///   the error's place: because the platform cannot send it (``ATTError/isSendable(on:)`` says so beforehand), or
    ///   because it is `.readNotPermitted`, which says nothing about a write.
    @discardableResult
    public func respond(_ error: ATTError) -> Bool {
        guard ticket.claim() else { return false }
        return error == .success ? ticket.send(Bytes()) : ticket.send(error)
    }
}

extension WriteRequest: CustomStringConvertible {
    /// The central, the value, the characteristic and the offset.
    public var description: String {
        "\(central?.description ?? "a central") writes \(value) at \(offset) to \(characteristic)"
    }
}

extension ATTError {
    /// Whether the error reaches a central as it is when it is answered through a manager; otherwise 0x0E, Unlikely
    /// Error, is sent in its place. `.readNotPermitted` can be sent for reads only, and `.writeNotPermitted` for writes
    /// only.
    public func isSendable(on manager: PeripheralManager) -> Bool { manager.isSendable(self) }
}
