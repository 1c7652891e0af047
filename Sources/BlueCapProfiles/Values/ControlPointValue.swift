// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The value of a control point: an op code of one byte, and the parameter that it calls for.
///
/// A central writes a request and is answered by an indication of the same characteristic, whose op code says that it
/// is a response. Every op code and parameter can be read and written; a device itself defines their effect.
public protocol ControlPointValue: ControlPointMessage, CharacteristicConfigurable, TextFieldCoding
where OpCode: AssignedNumber, OpCode.RawValue == UInt8, Result == ControlPointResult {

    /// The op code that marks a response.
    static var responseCode: OpCode { get }

    /// The procedure that is requested, or the mark of a response.
    var opCode: OpCode { get set }

    /// The parameter of the op code, as it is sent.
    var parameter: Bytes { get set }

    /// Creates a value from an op code and its parameter.
    ///
    /// - Parameters:
    ///   - opCode: The procedure that is requested, or the mark of a response.
    ///   - parameter: The parameter that the op code requires, as it is sent; numbers are little-endian.
    init(opCode: OpCode, parameter: Bytes)
}

extension ControlPointValue {
    /// A central may write the value with a response and receive it as indications.
    public static var properties: CharacteristicProperties { [.write, .indicate] }

    /// Any central may write the value; no central may read it.
    public static var permissions: AttributePermissions { .writeable }

    /// Op code 0, which is reserved, without a parameter.
    public init() { self.init(opCode: OpCode(rawValue: 0), parameter: []) }

    /// Creates the response to a request.
    public init(response: ControlPointResponse<OpCode>) {
        self.init(
            opCode: Self.responseCode,
            parameter: [response.request.rawValue, response.result.rawValue] + response.parameter)
    }

    /// Creates the response to a request, without data.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    public init(to request: OpCode, _ result: ControlPointResult) {
        self.init(response: ControlPointResponse(to: request, result))
    }

    /// The result of a procedure that succeeded: Success.
    public static var succeeded: ControlPointResult { .success }

    /// The result of a procedure that did not: Operation Failed.
    public static var failed: ControlPointResult { .operationFailed }

    /// The op code of the request and its result, when this is a response.
    public var outcome: (request: OpCode, result: ControlPointResult)? { response.map { ($0.request, $0.result) } }

    /// The answer, when this is one: the request's op code, the result, and the values asked for.
    public var response: ControlPointResponse<OpCode>? {
        guard opCode == Self.responseCode, parameter.count >= 2 else { return nil }
        return ControlPointResponse(
            to: OpCode(rawValue: parameter[0]), ControlPointResult(rawValue: parameter[1]),
            parameter: Bytes(parameter.dropFirst(2)))
    }

    /// Returns the parameter as one value; nil when its bytes are not just that.
    public func parameter<Value: ByteDecodable>(as type: Value.Type = Value.self) -> Value? {
        try? SerDe.deserialize(parameter, as: type)
    }

    /// Reads the op code and takes all bytes behind it as the parameter.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let opCode = OpCode(rawValue: try reader.read())
        self.init(opCode: opCode, parameter: try reader.read())
    }

    /// One, and the size of the parameter.
    public var encodedByteCount: Int { 1 + parameter.count }

    /// Appends the op code and the parameter.
    public func encode(into output: inout OutputRawSpan) { output.write(fields: opCode.rawValue, parameter) }

    #if !hasFeature(Embedded)
    /// The name of the op code, `opCode`, and the parameter in hexadecimal, `parameter`, when there is one.
    public static var textFields: [TextField<Self>] { controlPointTextFields(of: Self.self) }
    #endif
}

private func controlPointTextFields<Value: ControlPointValue>(of type: Value.Type) -> [TextField<Value>] {
    [
        TextField(
            "opCode", allowed: Value.OpCode.assigned.map { $0.1 }, text: { $0.opCode.description },
            parse: { value, text in
                guard let opCode = Value.OpCode(text) else { return false }
                value.opCode = opCode
                return true
            }),
        TextField(
            "parameter", isNumber: false, isOptional: true,
            text: { $0.parameter.isEmpty ? nil : $0.parameter.hex },
            parse: { value, text in
                guard let parameter = try? Bytes(hex: text) else { return false }
                value.parameter = parameter
                return true
            }),
    ]
}

/// The response that a control point indicates.
public struct ControlPointResponse<OpCode: AssignedNumber>: Hashable, Sendable {
    /// The op code of the request.
    public var request: OpCode
    /// The outcome of the procedure.
    public var result: ControlPointResult
    /// The data that was requested, as it is sent; mostly empty.
    public var parameter: Bytes

    /// Creates a response to a request.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    ///   - parameter: The data that was requested, as it is sent; mostly empty.
    public init(to request: OpCode, _ result: ControlPointResult = .success, parameter: Bytes = []) {
        (self.request, self.result, self.parameter) = (request, result, parameter)
    }
}

/// The outcome of a control point's request (GATT Specification Supplement; the services' own lists of response
/// values).
public struct ControlPointResult: AssignedNumber {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The procedure has succeeded.
    public static let success = Self(rawValue: 1)
    /// The device does not know the op code.
    public static let opCodeNotSupported = Self(rawValue: 2)
    /// The parameter is not one that the op code allows.
    public static let invalidParameter = Self(rawValue: 3)
    /// The device could not do it.
    public static let operationFailed = Self(rawValue: 4)
    /// The user has not consented (User Data Service only).
    public static let userNotAuthorized = Self(rawValue: 5)

    public static let assigned: [(Self, String)] = [
        (.success, "Success"), (.opCodeNotSupported, "Op Code not supported"), (.invalidParameter, "Invalid Parameter"),
        (.operationFailed, "Operation Failed"), (.userNotAuthorized, "User Not Authorized"),
    ]
}
