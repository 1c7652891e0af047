// SPDX-License-Identifier: MIT

public import BlueCapSerDe

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
