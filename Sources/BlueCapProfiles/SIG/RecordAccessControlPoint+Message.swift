// SPDX-License-Identifier: MIT

extension RecordAccessControlPoint {
    /// The result of a procedure that did what was asked: Success.
    public static let succeeded = Result.success

    /// The result of a procedure that did not: Procedure Not Completed.
    public static let failed = Result.procedureNotCompleted

    /// The request that ends the procedure which is under way: Abort Operation.
    public static let abort: Self? = abortOperation

    /// Creates the response to any request but a count that succeeded, for which there is
    /// ``numberOfStoredRecords(_:)``.
    ///
    /// - Parameters:
    ///   - request: The op code of the request.
    ///   - result: The outcome of the procedure.
    public init(to request: OpCode, _ result: Result) { self = .response(to: request, result) }

    /// The op code of the request and its result, when this is a response; a number of records is the response to a
    /// count that succeeded.
    public var outcome: (request: OpCode, result: Result)? {
        numberOfStoredRecords == nil ? response : (.reportNumberOfStoredRecords, .success)
    }
}
