// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting

/// One cell of the matrix: a program, and the fault that befalls it.
struct MatrixCell: Hashable, Sendable {
    /// The longest time after the radio's return until values flow again.
    static let bound = Duration.seconds(3)

    static let all = MatrixActivity.allCases.flatMap { activity in
        MatrixFault.allCases.filter { $0.concerns(activity) }.map { MatrixCell(activity: activity, fault: $0) }
    }

    let activity: MatrixActivity
    let fault: MatrixFault

    /// Makes a behaviour for the runner, which notes its results in `table`, and fails where `article` has others.
    func behaviour(notedIn table: MatrixTable, against article: MatrixArticle?) -> DaemonBehaviour {
        DaemonBehaviour("matrix: \(activity.name) while \(fault.name)") { world in
            let row = try await run(in: world)
            // bluetoothd crashes if the object of a waiting request is removed after its link is gone (bluez issue
            // 2447).
            if activity.isServing, fault != .stall {
                try await world.killDaemon()
                try await world.startDaemon()
            }
            table.set(row, for: self)
            row.tell()
            if activity.flows, fault.isOfRadio, row.works > Self.bound {
                throw ConformanceFailure("values flow \(row.works) after the radio's return")
            }
            if activity.role == .central, activity.hasLink, fault.endsLinks, !row.link.wasLost {
                throw ConformanceFailure("the program worked without having lost its link")
            }
            try article?.compare(row, of: self)
        }
    }

    /// Runs the program, lets the fault come and go, and waits until the program works again.
    private func run(in world: BedWorld) async throws -> MatrixRow {
        let log = MatrixLog()
        let app = try await activity.app(in: world, log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let (states, links) = (app.states(), app.connectionEvents())
            group.addTask { await app.run() }
            group.addTask { for await state in states { log.changed(to: state) } }
            group.addTask { for await event in links { log.changed(by: event) } }
            defer { group.cancelAll() }

            try await log.naming("before the fault") { try await app.isUnderWay() }
            let start = log.now
            let duration = fault.duration(under: activity)
            try await log.naming("during the fault") {
                try await fault.begin(in: world, app)
                try await log.wait { notes in
                    let lasted = log.now - start
                    let hasEnded = notes.ends.contains { $0.time >= start }
                    return lasted >= (hasEnded ? duration.lowerBound : duration.upperBound)
                }
                try await fault.end(in: world)
            }
            let end = log.now
            try await log.naming("after the fault, when the program did not work again") {
                try await app.release()
                try await app.works(after: fault)
            }
            let row = MatrixRow(log.notes, from: start, to: end, at: log.now)
            if let untyped = log.notes.untyped { throw ConformanceFailure("the app was told \(untyped)") }
            return row
        }
    }
}

/// The results of one cell.
struct MatrixRow: Sendable {
    /// The error that ended the operation, and the time since the beginning of the fault; nil if no operation ended.
    let ended: (what: String, after: Duration)?
    /// The worst state of the manager, if it changed, and how long after the end of the fault the radio was on.
    let state: (worst: ManagerState, back: Duration?)?
    /// Whether a link was lost, and the time from the end of the fault until it was made again.
    let link: (wasLost: Bool, back: Duration?)
    /// The time from the end of the fault until the program worked.
    let works: Duration

    init(_ notes: MatrixLog.Notes, from start: Duration, to end: Duration, at now: Duration) {
        works = now - end
        ended = notes.ends.first { $0.time >= start }.map { ($0.value, $0.time - start) }
        let states = notes.states.filter { $0.time >= start }
        let off = states.filter { $0.value != .poweredOn }
        // Which state is the last before the radio is on is chance: an adapter may come back switched off.
        let worst = off.contains { $0.value != .poweredOff } ? off.last { $0.value != .poweredOff } : off.last
        state = worst.map { worst in
            let on = states.last { $0.value == .poweredOn && $0.time > (off.last?.time ?? .zero) }
            return (worst.value, on.map { max($0.time - end, .zero) })
        }
        let links = notes.links.filter { $0.time >= start }
        let back = links.last.flatMap { $0.value ? max($0.time - end, .zero) : nil }
        link = (links.contains { !$0.value }, back)
    }

    /// Prints a line for the reader of the run's output.
    func tell() {
        let seen = [
            ended.map { "\($0.what) after \($0.after.text)" } ?? "nothing ends", stateText, linkText,
            "works \(works.text)",
        ]
        print("       " + seen.joined(separator: " | "))
    }

    /// The columns of the article.
    var columns: [String] {
        [ended.map { "\($0.what) (\($0.after.text))" } ?? "–", stateText, linkText, works.text]
    }

    private var stateText: String {
        guard let state else { return "–" }
        return "`.\(state.worst)`, " + (state.back.map { "on after \($0.text)" } ?? "not on")
    }

    private var linkText: String {
        if !link.wasLost { return link.back.map { "made after \($0.text)" } ?? "–" }
        return link.back.map { "lost, back after \($0.text)" } ?? "lost"
    }
}

extension Duration {
    /// In seconds, with two digits.
    fileprivate var text: String {
        let hundredths = Int((self / .milliseconds(10)).rounded())
        let digits = String(hundredths % 100)
        return "\(hundredths / 100).\(digits.count == 1 ? "0" : "")\(digits) s"
    }
}
#endif
