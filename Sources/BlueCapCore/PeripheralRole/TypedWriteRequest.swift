// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A central's write of a value of a declared type, which the app accepts or refuses, exactly once.
///
/// It is answered in the same way as its ``WriteRequest``: a request that is released without an answer, or not
/// answered in time, is answered with `.unlikelyError`.
public struct TypedWriteRequest<Value: ByteDecodable>: Sendable {
    /// The value that the characteristic has once the write is accepted.
    ///
    /// A write at an offset changes only a part of the value. The rest has the bytes of the characteristic's value at
    /// the time when the loop took the request.
    public let newValue: Value
    /// The request, with the bytes that the central sent and their offset.
    public let request: WriteRequest
    private let bytes: Bytes

    /// Decodes the value after the write. If it is not a value of the type, refuses the request and returns nil.
    init?(_ request: WriteRequest) {
        var whole = request.characteristic.value
        if let error = whole.splice(request.value, at: request.offset) {
            request.respond(error)
            return nil
        }
        bytes = whole ?? Bytes()
        self.request = request
        do throws(SerDeError) {
            newValue = try SerDe.deserialize(bytes)
        } catch {
            request.refuse(error)
            return nil
        }
    }

    /// The characteristic to be written.
    public var characteristic: MutableCharacteristic { request.characteristic }

    /// The central that writes; nil if the platform does not report it.
    public var central: Central? { request.central }

    /// The kind of write; see ``WriteRequest/kind``.
    public var kind: WriteRequestKind { request.kind }

    /// A Boolean value that is true if the request can still be answered.
    public var isOpen: Bool { request.isOpen }

    /// Sets the characteristic's value to ``newValue``, in the bytes that the central sent, and answers success.
    ///
    /// - Returns: False if the request was answered before, or if the time for an answer is over.
    @discardableResult
    public func accept() -> Bool { request.accept(wholeValue: bytes) }

    /// Answers with an error, or with `.success`, which does not change the value: the app sets it.
    ///
    /// - Returns: As ``WriteRequest/respond(_:)``.
    @discardableResult
    public func respond(_ error: ATTError) -> Bool { request.respond(error) }
}

extension TypedWriteRequest: CustomStringConvertible {
    /// The central, the new value and the characteristic.
    public var description: String { "\(central?.description ?? "a central") writes \(newValue) to \(characteristic)" }
}
