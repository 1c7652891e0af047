// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Foundation

/// The outcome of one behaviour.
struct Verdict: Encodable {
    let name: String
    let seconds: Double
    /// The number of failures before this verdict, in the same run.
    let retries: Int
    /// The reason why it was not shown; nil when it was.
    let failure: String?
}

/// Prints verdicts as they come, and the sum at the end.
struct Report {
    let asJSON: Bool
    private(set) var verdicts: [Verdict] = []

    init(asJSON: Bool) { self.asJSON = asJSON }

    mutating func add(_ verdict: Verdict) {
        verdicts.append(verdict)
        if asJSON { return }
        let word = verdict.failure == nil ? "ok    " : "FAILED"
        say("\(word) \(verdict.name) (\(String(format: "%.2f", verdict.seconds)) s)")
        if let failure = verdict.failure { say("       \(failure)") }
    }

    /// The number of behaviours that were tried again.
    private(set) var retries = 0

    /// Reports that a behaviour was not shown at first and is tried again.
    mutating func retry(_ name: String, _ failure: String) {
        retries += 1
        if asJSON { return }
        say("again  \(name)")
        say("       \(failure)")
    }

    var failures: Int { verdicts.count { $0.failure != nil } }

    func close() {
        if asJSON, let data = try? JSONEncoder().encode(verdicts) { say(String(decoding: data, as: UTF8.self)) }
        if retries > 0 { say("tried again: \(retries)") }
        say("\(verdicts.count - failures) passed, \(failures) failed")
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
#endif
