// SPDX-License-Identifier: MIT

import BlueCapCore

/// One thing that every backend must show, as a small program over a ``ConformanceWorld``.
public struct Behaviour: Sendable, Hashable, CustomStringConvertible {
    /// What is shown, in a sentence; no two behaviours have the same.
    public let name: String
    /// The program; it throws when the behaviour is not shown.
    public let run: @Sendable (any ConformanceWorld) async throws -> Void

    /// A behaviour.
    public init(_ name: String, run: @escaping @Sendable (any ConformanceWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// The name.
    public var description: String { name }

    /// Behaviours are the same when their names are.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

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
    public static let central: [Behaviour] =
        scanning + sightings + connecting + losing + waiting + restoring + power + reading + writing + attErrors
        + notifying
        + notifyingAtScale
        + descriptors + database + pairing + sharingOfCentral

    /// All behaviours of the peripheral role.
    public static let peripheral: [Behaviour] =
        advertising + advertisingOptions + serving + refusing + updating + registering + restoringServices
        + Outage.allCases.flatMap { recovering(from: $0) } + pairingWithCentrals
        + sharingOfPeripheral

    /// Runs a behaviour in a world made for it, gives it up when it takes too long, and closes the world.
    ///
    /// - Parameters:
    ///   - behaviour: What is to be shown.
    ///   - world: A world that no behaviour has used.
    ///   - limit: How long it may take, on the world's ``ConformanceWorld/deadlineClock``.
    /// - Throws: What the behaviour threw, or a ``ConformanceFailure`` when it took too long.
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
            // The behaviour is cancelled now; what it throws tells what it was waiting for.
            var sentence = "was not shown within \(limit)"
            do { while try await group.next() != nil {} } catch is CancellationError {} catch {
                sentence += "; it ended with: \(error)"
            }
            throw ConformanceFailure(sentence)
        }
    }
}

/// Why a behaviour was not shown.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was there instead.
    public let sentence: String
    /// Where in the suite.
    public let location: String

    /// A failure at a place in the suite.
    public init(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) {
        self.sentence = sentence
        location = "\(file):\(line)"
    }

    /// The sentence with its place.
    public var description: String { "\(sentence) (\(location))" }
}
