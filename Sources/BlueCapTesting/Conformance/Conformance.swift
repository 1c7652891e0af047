// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The behaviours that BlueCap asks of every backend, and how one is run.
///
/// ```swift
/// @Test(arguments: Conformance.central)
/// func centralRole(_ behaviour: Behaviour) async throws {
///     try await Conformance.run(behaviour, in: MyWorld())
/// }
/// ```
public enum Conformance {
    /// All behaviours of the central role.
    public static let central: [Behaviour] = ConformancePart.central.flatMap(\.behaviours)

    /// All behaviours of the peripheral role.
    public static let peripheral: [Behaviour] = ConformancePart.peripheral.flatMap(\.behaviours)

    /// Returns the behaviours of some parts of the suite, in the order of the parts.
    public static func behaviours(of parts: ConformancePart...) -> [Behaviour] { parts.flatMap(\.behaviours) }

    /// Runs a behaviour in a world made for it, cancels it when it takes too long, and closes the world.
    ///
    /// - Parameters:
    ///   - behaviour: The behaviour to show.
    ///   - world: A world that no behaviour has used.
    ///   - limit: The longest time that the behaviour may take on the world's ``ConformanceWorld/deadlineClock``.
    /// - Throws: The behaviour's error, or a ``ConformanceFailure`` when it took too long.
    public static func run(
        _ behaviour: Behaviour, in world: any ConformanceWorld, limit: Duration = .seconds(60)
    ) async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await run(behaviour, until: limit, in: world)) } catch { result = .failure(error) }
        await world.close()
        try result.get()
    }

    private static func run(_ behaviour: Behaviour, until limit: Duration, in world: any ConformanceWorld) async throws
    {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await behaviour.run(world)
                return true
            }
            group.addTask {
                try await world.deadlineClock.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            if try await group.next() ?? true { return }
            group.cancelAll()
            // The behaviour is cancelled now; its error names the condition that it was waiting for.
            var sentence = "was not shown within \(limit)"
            do { while try await group.next() != nil {} } catch is CancellationError {} catch {
                sentence += "; it ended with: \(error)"
            }
            throw ConformanceFailure(sentence)
        }
    }
}
