// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A central's read of a characteristic, which the app itself answers, exactly once.
///
/// A long value is read in parts: every part is a separate request with its offset. A request that is released without
/// an answer, or not answered in time, is answered in the same way as a ``WriteRequest``.
public final class AttributeReadRequest: Sendable {
    /// The characteristic that is read.
    public let characteristic: MutableCharacteristic
    /// The offset in the value at which the read begins, in bytes.
    public let offset: Int
    /// The central that reads; nil if the platform does not report it.
    public let central: Central?
    let ticket: AccessTicket

    init(_ characteristic: MutableCharacteristic, offset: Int, central: Central?, ticket: AccessTicket) {
        self.characteristic = characteristic
        self.offset = offset
        self.central = central
        self.ticket = ticket
    }

    deinit { ticket.abandon() }

    /// A Boolean value that is true if the request can still be answered.
    public var isOpen: Bool { ticket.isOpen }

    /// Answers with the whole value, of which the part from ``offset`` on is sent.
    ///
    /// The characteristic's own value does not change.
    ///
    /// - Returns: False if the request was answered before, if the time for an answer is over, or if the offset is
    ///   beyond the value's end: the answer is then `.invalidOffset`.
    @discardableResult
    public func respond(_ value: Bytes) -> Bool {
        guard ticket.claim() else { return false }
        switch value.answer(from: offset) {
        case .success(let rest): return ticket.send(rest)
        case .failure(let error):
            _ = ticket.send(error)
            return false
        }
    }

    /// Answers with an encoded value, as ``respond(_:)-(Bytes)``.
    @discardableResult @_disfavoredOverload
    public func respond(_ value: some ByteEncodable) -> Bool { respond(SerDe.serialize(value)) }

    /// Answers with an array's bytes, as ``respond(_:)-(Bytes)``.
    @discardableResult
    public func respond(_ value: [UInt8]) -> Bool { respond(Bytes(value)) }

    /// Not available, because `Int` has no fixed size on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public func respond(_ value: Int) -> Bool { false }

    /// Not available for a `Data` or a part of an array, as `Bytes` is the type of bytes here.
    @available(*, unavailable, message: "make bytes of it: Bytes(data), or Bytes(Array(part)) of a part of an array")
    public func respond(_ value: some Sequence<UInt8>) -> Bool { false }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    @discardableResult
    public func respond(_ value: UntypedLiteral) -> Bool { respond(value.bytes) }

    /// Answers with an error, or with `.success` for the characteristic's own value.
    ///
    /// - Returns: False as for ``WriteRequest/respond(_:)``; the error that does not apply to a read is
    ///   `.writeNotPermitted`.
    @discardableResult
    public func respond(_ error: ATTError) -> Bool {
        if error == .success { return respond(characteristic.value ?? Bytes()) }
        guard ticket.claim() else { return false }
        return ticket.send(error)
    }
}

extension AttributeReadRequest: CustomStringConvertible {
    /// The central, the characteristic and the offset.
    public var description: String { "\(central?.description ?? "a central") reads \(characteristic) from \(offset)" }
}
