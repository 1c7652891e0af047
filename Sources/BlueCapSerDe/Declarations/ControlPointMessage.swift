// SPDX-License-Identifier: MIT

/// A message of a control point: a request, which a central writes, or the response to one, which the peripheral
/// indicates.
///
/// A response names the op code of its request, so the two are matched by it.
///
/// ```swift
/// struct LampControlPoint: ControlPointMessage {
///     static let uuid: BluetoothUUID = "F000CC01-0451-4000-B000-000000000000"
///     static let succeeded: UInt8 = 1
///     static let failed: UInt8 = 4
///     var opCode: UInt8
///     var parameter: Bytes = []
///     var outcome: (request: UInt8, result: UInt8)? {
///         opCode == 0x80 && parameter.count >= 2 ? (parameter[0], parameter[1]) : nil
///     }
///     init(to request: UInt8, _ result: UInt8) { (opCode, parameter) = (0x80, [request, result]) }
///     …
/// }
/// ```
public protocol ControlPointMessage: CharacteristicValue, Hashable {
    /// The number of a procedure, or of a kind of response.
    associatedtype OpCode: Hashable, Sendable
    /// The outcome of a procedure.
    associatedtype Result: Hashable, Sendable

    /// The result of a procedure that succeeded.
    static var succeeded: Result { get }

    /// The result of a procedure that did not, for no reason that has a result of its own.
    static var failed: Result { get }

    /// The request that ends the procedure which is under way; nil, as by default, where there is none.
    static var abort: Self? { get }

    /// The procedure that is requested, or the kind of response.
    var opCode: OpCode { get }

    /// The op code of the request to which this is the response, and its result; nil when this is no response.
    var outcome: (request: OpCode, result: Result)? { get }

    /// Creates the response to a request, without data.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    init(to request: OpCode, _ result: Result)
}

extension ControlPointMessage {
    /// Nil: procedures cannot be ended.
    public static var abort: Self? { nil }
}
