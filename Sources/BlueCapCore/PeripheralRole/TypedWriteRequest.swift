// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A central's write of a value of a declared type, which the app accepts or refuses, exactly once.
///
/// It is answered as the ``WriteRequest`` that it stands for: one that is released without an answer, or not answered
/// in time, is answered with `.unlikelyError`.
public struct TypedWriteRequest<Value: ByteDecodable>: Sendable {
    /// The value that the characteristic has once the write is accepted.
    ///
    /// A write at an offset changes a part only: the rest is what the characteristic's value was when the loop took the
    /// request.
    public let newValue: Value
    /// The request, with the bytes that the central sent and their offset.
    public let request: WriteRequest
    /// The bytes of the new value.
    private let bytes: Bytes

    /// Decodes what the value becomes; nil, with the request refused, where that is no value of the type.
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

    /// The characteristic that is to be written.
    public var characteristic: MutableCharacteristic { request.characteristic }

    /// The central that writes; nil where the platform does not report it.
    public var central: Central? { request.central }

    /// How it is written; see ``WriteRequest/kind``.
    public var kind: WriteRequestKind { request.kind }

    /// Whether it can still be answered.
    public var isOpen: Bool { request.isOpen }

    /// Sets the characteristic's value to ``newValue``, in the bytes that the central sent, and answers success.
    ///
    /// - Returns: False when it was answered before, or when it is too late.
    @discardableResult
    public func accept() -> Bool { request.accept(wholeValue: bytes) }

    /// Answers with an error, or with `.success`, which leaves the value as it is: the app sets it.
    ///
    /// - Returns: As ``WriteRequest/respond(_:)``.
    @discardableResult
    public func respond(_ error: ATTError) -> Bool { request.respond(error) }
}

extension TypedWriteRequest: CustomStringConvertible {
    /// The central, the new value and the characteristic.
    public var description: String {
        "\(central?.description ?? "a central") writes \(newValue) to \(characteristic)"
    }
}
