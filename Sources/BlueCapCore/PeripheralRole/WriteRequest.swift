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
/// The characteristic's value does not change until ``accept()``. A request that is released without an answer is
/// answered with `.unlikelyError`, and so is a request that is not answered in time
/// (``PeripheralManager/Configuration/requestTimeLimit``). Answers may be given from any thread.
///
/// A command, which needs no answer, has no such time limit, and stays valid when its central leaves.
public final class WriteRequest: Sendable {
    /// The characteristic to be written.
    public let characteristic: MutableCharacteristic
    /// The written bytes.
    public let value: Bytes
    /// The offset of the written bytes in the value; the bytes before it do not change.
    public let offset: Int
    /// The central that writes; nil if the platform does not report it.
    public let central: Central?
    /// The kind of write.
    ///
    /// The answer to a command is not needed and does not reach the central; ``accept()`` sets the value all the same.
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

    /// A Boolean value that is true if the request can still be answered.
    public var isOpen: Bool { ticket.isOpen }

    /// Writes the bytes into the characteristic's value and answers with success.
    ///
    /// - Returns: False if the request was answered before, if the time for an answer is over, or if the offset is
    ///   beyond the value's end or the value would be longer than 512 bytes: the answer is then `.invalidOffset` or
    ///   `.invalidAttributeValueLength`.
    @discardableResult
    public func accept() -> Bool {
        guard ticket.claim() else { return false }
        if let error = characteristic.commit(value, at: offset) {
            _ = ticket.send(error)
            return false
        }
        return ticket.send(Bytes())
    }

    /// Accepts the write and sets the whole value of the characteristic.
    func accept(wholeValue: Bytes) -> Bool {
        guard ticket.claim() else { return false }
        characteristic.value = wholeValue
        return ticket.send(Bytes())
    }

    /// Refuses a write after which the bytes would not be a value of the type.
    func refuse(_ error: SerDeError) {
        guard ticket.claim() else { return }
        ticket.refuse(error)
    }

    /// Answers with an error, or with `.success`, which does not change the value: the app sets it.
    ///
    /// - Returns: False if the request was answered before or the time for an answer is over. Also false if 0x0E,
    ///   Unlikely Error, is sent in the error's place: because the platform cannot send the error (see
    ///   ``ATTError/isSendable(on:)``), or because the error is `.readNotPermitted`, which does not apply to a write.
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
    /// Returns a Boolean value that is true if a manager's platform can send the error to a central.
    ///
    /// Otherwise 0x0E, Unlikely Error, is sent in its place. `.readNotPermitted` can be sent for reads only, and
    /// `.writeNotPermitted` for writes only.
    public func isSendable(on manager: PeripheralManager) -> Bool { manager.isSendable(self) }
}
