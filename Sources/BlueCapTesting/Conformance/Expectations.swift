// SPDX-License-Identifier: MIT

import BlueCapCore

/// Throws a ``ConformanceFailure`` unless `isMet`.
func expect(
    _ isMet: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    if !isMet { throw ConformanceFailure(sentence(), file: file, line: line) }
}

/// Throws unless `actual` equals `expected`.
func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ what: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) throws {
    if actual != expected {
        throw ConformanceFailure("\(what()): expected \(expected), got \(actual)", file: file, line: line)
    }
}

/// The value, or a failure when it is absent.
func require<Value>(
    _ value: Value?, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws -> Value {
    guard let value else { throw ConformanceFailure("\(what()) is absent", file: file, line: line) }
    return value
}

/// Throws unless `operation` throws exactly `expected`.
func expectThrows<Failure: BlueCapError & Equatable, Value>(
    _ expected: Failure, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line,
    _ operation: () async throws -> Value
) async throws {
    let outcome = await outcome(of: operation)
    try expectFailure(outcome, expected, what(), file: file, line: line)
}

/// Throws unless `outcome` is exactly the error `expected`.
func expectFailure<Failure: BlueCapError & Equatable, Value>(
    _ outcome: Result<Value, any Error>, _ expected: Failure, _ what: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) throws {
    switch outcome {
    case .success(let value):
        throw ConformanceFailure("\(what()) gave \(value) instead of throwing \(expected)", file: file, line: line)
    case .failure(let error as Failure):
        try expectEqual(error, expected, "the error of \(what())", file: file, line: line)
    case .failure(let error):
        throw ConformanceFailure("\(what()) threw \(error) instead of \(expected)", file: file, line: line)
    }
}

/// Throws unless `operation` throws an error of the package for one of `reasons`.
func expectThrows<Value>(
    for reasons: [ErrorReason], _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line,
    _ operation: () async throws -> Value
) async throws {
    let value: Value
    do { value = try await operation() } catch let error as any BlueCapError {
        if reasons.contains(error.reason) { return }
        throw ConformanceFailure(
            "\(what()): expected an error for \(reasons), got \(error) for \(error.reason)", file: file, line: line)
    }
    throw ConformanceFailure("\(what()) gave \(value) instead of throwing for \(reasons)", file: file, line: line)
}

/// Waits until a condition is met that needs no time on the radio, only turns of other tasks; on a busy machine those
/// are rare, and this task's are not.
func settle(
    _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line, until isMet: () async -> Bool
) async throws {
    for _ in 0..<5_000_000 {
        if await isMet() { return }
        try Task.checkCancellation()
        await Task.yield()
    }
    throw ConformanceFailure("it never came about that \(what())", file: file, line: line)
}

/// Runs two operations side by side and gives both results.
func together<First: Sendable, Second: Sendable>(
    _ first: @escaping @Sendable () async throws -> First, _ second: @escaping @Sendable () async throws -> Second
) async throws -> (First, Second) {
    async let one = first()
    async let two = second()
    return try await (one, two)
}

/// The reason for which a behaviour was not shown.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// A sentence with the expected and the actual result.
    public let sentence: String
    /// The file and line in the suite.
    public let location: String

    /// Creates a failure at a place in the suite.
    ///
    /// - Parameters:
    ///   - sentence: A sentence with the expected and the actual result.
    ///   - file: The file of the expectation.
    ///   - line: The line of the expectation.
    public init(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) {
        self.sentence = sentence
        location = "\(file):\(line)"
    }

    /// The sentence with its place.
    public var description: String { "\(sentence) (\(location))" }
}
