// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The timing that a connection is to have.
struct LinkTimingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask for connection events so far apart, as 15 or 15-30; BlueZ wants CAP_NET_ADMIN.", valueName: "ms"))
    var interval: IntervalArgument?

    @Option(help: ArgumentHelp("With --interval: how many events the device may leave out.", valueName: "count"))
    var latency: Int?

    @Option(help: ArgumentHelp("With --interval: the silence after which the link is lost.", valueName: "seconds"))
    var silence: Seconds?

    /// Nil where no timing is asked for.
    var parameters: ConnectionParameters? {
        get throws {
            guard let interval else {
                if latency == nil, silence == nil { return nil }
                throw ValidationError("--latency and --silence go with --interval")
            }
            do throws(ConnectionParametersError) {
                return try ConnectionParameters(
                    interval: interval.range, latency: latency ?? 0,
                    supervisionTimeout: silence?.duration ?? .seconds(4))
            } catch {
                throw ValidationError("\(error.description)")
            }
        }
    }

    func validate() throws { _ = try parameters }
}

/// A time between two connection events in milliseconds, or the shortest and the longest one.
struct IntervalArgument: ExpressibleByArgument, Sendable {
    let range: ClosedRange<Duration>

    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { text -> Duration? in
            guard let number = Double(text), number >= 0, number <= 1e6 else { return nil }
            return .microseconds(Int64((number * 1000).rounded()))
        }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
            return nil
        }
        range = first...last
    }
}

extension ConnectionParameters {
    /// Asks for the parameters on a connection that stands, and says when they take effect.
    func apply(to peripheral: Peripheral, progress: (String) -> Void) async throws(PeripheralError) {
        switch try await peripheral.setConnectionParameters(self) {
        case .now: progress("timing: \(self)")
        case .nextConnection: progress("timing from the next connection on: \(self)")
        }
    }
}
