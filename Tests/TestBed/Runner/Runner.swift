// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import Foundation
import Logging

/// Runs the behaviours of the conformance suite one after another in the test bed.
@main
enum Runner {
    /// The time that a cancelled behaviour has to end before it is left behind.
    private static let grace = Duration.seconds(15)
    /// A run with more retries than this is not explained by chance.
    private static let maximumRetries = 3

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let program = RestoredProgram(arguments) { return try await program.run() }
            let options = try Options(arguments)
            let own =
                DaemonBehaviours.all + HabitBehaviours.all + PacketBehaviours.all + StartingBehaviours.all
                + AdvertisingBehaviours.all + PairingBehaviours.all
                + TraceBehaviours.all + EnduranceBehaviours.all(rounds: options.rounds)
                + RestorationBehaviours.all(rounds: options.rounds) + ChannelBehaviours.all(stall: options.stall)
                + FarChannelBehaviours.all + ThroughputBehaviours.all(rounds: options.throughputRounds)
            let common = Conformance.central + Conformance.peripheral
            // For behaviours of our own central one bluetoothd is at both ends, and neither end outlives it.
            let outages = Set([Outage.restart, .crash].flatMap { Conformance.recovering(from: $0) })
            let served = Conformance.peripheral.filter { !outages.contains($0) }
            let table = MatrixTable()
            let behaviours =
                (options.isMatrix
                ? MatrixCell.all.map { BedBehaviour.bed($0.behaviour(notedIn: table, against: options.article)) }
                : common.map(BedBehaviour.any) + served.map(BedBehaviour.ownCentral) + own.map(BedBehaviour.bed))
                .filter { options.selects($0.name) && options.offers($0.adapters) }
            if options.lists {
                for behaviour in behaviours { print(behaviour.name) }
                return
            }
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = options.isVerbose ? .trace : .warning
                return handler
            }
            let areShown = try await run(behaviours, options)
            if options.isMatrix { try table.write() }
            exit(areShown ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("bluecap-testbed: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func run(_ behaviours: [BedBehaviour], _ options: Options) async throws -> Bool {
        guard let path = ProcessInfo.processInfo.environment["BLUECAP_PEER"] else {
            throw BedError(description: "BLUECAP_PEER is not set: run this in the test bed, Tests/TestBed/run")
        }
        var client = try BedClient(path: path)
        let takesScanResponse = try await AdvertisingTrial.reads("ScanResponseData")
        var report = Report(asJSON: options.asJSON)
        func outcome(of behaviour: BedBehaviour) async -> Failure? {
            let world = BedWorld(client: client, takesScanResponse: takesScanResponse)
            return await Self.outcome(of: behaviour, in: world, limit: options.limit)
        }
        for _ in 0..<options.repetitions {
            for behaviour in behaviours where !options.stopsAtFailure || report.failures == 0 {
                let start = ContinuousClock.now
                let before = report.retries
                var failure = await outcome(of: behaviour)
                for _ in 0..<options.tries {
                    guard let first = failure, report.retries < maximumRetries else { break }
                    report.retry(behaviour.name, first.sentence)
                    if first.isHanging { client = try BedClient(path: path) }
                    failure = await outcome(of: behaviour)
                }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                report.add(
                    Verdict(
                        name: behaviour.name, seconds: seconds, retries: report.retries - before,
                        failure: failure?.sentence))
                if failure?.isHanging == true { client = try BedClient(path: path) }
            }
        }
        report.close()
        return report.failures == 0 && !report.verdicts.isEmpty
    }

    private struct Failure {
        let sentence: String
        var isHanging = false
    }

    /// The reason why a behaviour was not shown; nil when it was. A behaviour that hangs although it was cancelled is
    /// left behind.
    private static func outcome(
        of behaviour: BedBehaviour, in world: BedWorld, limit: Duration
    ) async -> Failure? {
        let (verdicts, verdict) = AsyncStream.makeStream(of: Failure?.self)
        let run = Task {
            do {
                try await Conformance.run(
                    behaviour.behaviour(in: world), in: behaviour.world(over: world), limit: limit)
                verdict.yield(nil)
            } catch {
                verdict.yield(Failure(sentence: "\(error)"))
            }
        }
        let watch = Task {
            try await world.deadlineClock.sleep(for: limit + grace)
            run.cancel()
            verdict.yield(Failure(sentence: "it did not end within \(grace) of being cancelled", isHanging: true))
        }
        defer { watch.cancel() }
        return await verdicts.first { _ in true } ?? nil
    }
}

/// A behaviour of the suite, or a behaviour that only this world can show.
enum BedBehaviour: Sendable {
    case any(Behaviour)
    case bed(DaemonBehaviour)
    /// One of the peripheral role, shown by our own central on a second adapter.
    case ownCentral(Behaviour)

    var name: String {
        switch self {
        case .any(let behaviour): behaviour.name
        case .ownCentral(let behaviour): "our own central: \(behaviour.name)"
        case .bed(let behaviour): behaviour.name
        }
    }

    /// The number of adapters that it needs. With a second one bluetoothd sends more messages than the traces have.
    var adapters: Int { if case .ownCentral = self { 2 } else { 1 } }

    /// The world in which it is shown.
    func world(over bed: BedWorld) -> any ConformanceWorld {
        if case .ownCentral = self { OwnCentralWorld(bed) } else { bed }
    }

    func behaviour(in world: BedWorld) -> Behaviour {
        switch self {
        case .any(let behaviour), .ownCentral(let behaviour): behaviour
        case .bed(let behaviour): Behaviour(behaviour.name) { _ in try await behaviour.run(world) }
        }
    }
}
#endif

#if !(BlueZ && os(Linux))
/// There is no BlueZ to test in this build.
@main
enum Runner {
    static func main() { print("bluecap-testbed: this build has no BlueZ backend") }
}
#endif
