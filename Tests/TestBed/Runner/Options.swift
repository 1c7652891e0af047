// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Foundation

/// The runner's command-line options.
struct Options {
    var filters: [String] = []
    var excluded: [String] = []
    var lists = false
    var asJSON = false
    var limit = Duration.seconds(150)
    var repetitions = 1
    /// The number of times that a failed behaviour is tried again; the report names such behaviours.
    var tries = 0
    var isVerbose = false
    var stopsAtFailure = false
    /// The number of outages of each kind that the endurance behaviours go through.
    var rounds = 5
    /// The time for which a peer of a channel stalls.
    var stall = Duration.seconds(5)
    /// How often the throughput of a channel is measured; 0 for not at all.
    var throughputRounds = 0
    /// Whether the cells of the fault matrix are run, in place of the behaviours.
    var isMatrix = false
    /// The article against which the cells of the matrix are held.
    var article: MatrixArticle?
    /// The number of the bed's adapters; nil outside of it.
    let adapters = ProcessInfo.processInfo.environment["BLUECAP_ADAPTERS"].flatMap { Int($0) }

    static let usage = """
        usage: bluecap-testbed [--filter TEXT]… [--skip TEXT]… [--list] [--json] [--limit SECONDS] [--repeat COUNT] [--again COUNT] [--rounds COUNT] [--stall SECONDS] [--throughput COUNT] [--stop] [--matrix [--against FILE]] [--verbose]
        Shows every behaviour of the conformance suite on BlueZ, in the test bed (Tests/TestBed/run); with --matrix, what comes
        back after every fault, which it writes into FaultMatrix.md beside the logs. With --against it fails where that differs
        from the rows of such a file, or takes more than 5 s longer.
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw BedError(description: "\(option) needs a value") }
            return value
        }
        func number(of option: String) throws -> Int {
            guard let number = Int(try value(of: option)), number > 0 else {
                throw BedError(description: "\(option) needs a number")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--filter": filters.append(try value(of: argument))
            case "--skip": excluded.append(try value(of: argument))
            case "--list": lists = true
            case "--json": asJSON = true
            case "--limit": limit = .seconds(try number(of: argument))
            case "--verbose": isVerbose = true
            case "--stop": stopsAtFailure = true
            case "--matrix": isMatrix = true
            case "--against": article = try MatrixArticle(path: try value(of: argument))
            case "--again": tries = try number(of: argument)
            case "--rounds": rounds = try number(of: argument)
            case "--stall": stall = .seconds(try number(of: argument))
            case "--throughput": throughputRounds = try number(of: argument)
            case "--repeat": repetitions = try number(of: argument)
            default: throw BedError(description: "unknown argument \(argument)\n\(Self.usage)")
            }
        }
    }

    /// Whether behaviours that need so many adapters are shown here.
    func offers(_ count: Int) -> Bool { adapters.map { $0 == count } ?? true }

    func selects(_ name: String) -> Bool {
        (filters.isEmpty || filters.contains { name.contains($0) }) && !excluded.contains { name.contains($0) }
    }
}
#endif
