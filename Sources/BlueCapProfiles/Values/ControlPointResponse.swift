// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The answer that a control point indicates.
public struct ControlPointResponse<OpCode: AssignedNumber>: Hashable, Sendable {
    /// What was asked.
    public var request: OpCode
    /// How it went.
    public var result: ControlPointResult
    /// What was asked for, as it is sent; mostly empty.
    public var parameter: Bytes

    /// An answer to a request.
    public init(to request: OpCode, _ result: ControlPointResult = .success, parameter: Bytes = []) {
        (self.request, self.result, self.parameter) = (request, result, parameter)
    }
}
