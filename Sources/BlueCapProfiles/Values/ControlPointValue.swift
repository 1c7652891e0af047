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

    /// The result of a procedure that did what was asked: Success.
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
    public func encode(into output: inout OutputRawSpan) {
        output.write(opCode.rawValue)
        output.write(parameter)
    }

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
            "parameter", isOptional: true, text: { $0.parameter.isEmpty ? nil : $0.parameter.hex },
            parse: { value, text in
                guard let parameter = try? Bytes(hex: text) else { return false }
                value.parameter = parameter
                return true
            }),
    ]
}
