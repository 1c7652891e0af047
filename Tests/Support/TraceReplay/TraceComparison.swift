// SPDX-License-Identifier: MIT

/// Compares the daemon's messages in a trace with the messages of a replay: line by line within each sequence,
/// whichever of both came first.
struct TraceComparison {
    private let name: String
    private let alternatives: [String]
    private var expected: [String: [String]] = [:]
    private var observed: [String: [String]] = [:]
    /// The last values of the air properties, by sequence, in the trace and in the replay.
    private var expectedAir: [String: String] = [:]
    private var observedAir: [String: String] = [:]
    /// The signal strength of each far device, by its number.
    private var strengths: [Int: Int] = [:]
    /// Lines of each sequence that may come though they were not recorded.
    private var tolerated: [String: String] = [:]
    /// The number of compared lines of each sequence.
    private var compared: [String: Int] = [:]
    /// Lines of each sequence that need not come.
    private var dispensable: [String: Set<String>] = [:]

    /// Sequences in which a bond and `Paired` were recorded as one.
    private var bondsOfStandingLinks: Set<String> = []

    /// Whether bluetoothd was ended in order. It forgets its devices while it still listens, so that one may be heard
    /// once more.
    private var isEnding = false

    init(_ trace: Trace) { (name, alternatives) = (trace.name, trace.alternatives) }

    /// The trace has this message.
    mutating func expect(_ message: Trace.Message) throws {
        let lines = message.normal(alternatives: alternatives)
        expected[message.sequence, default: []] += lines
        if lines.contains(Self.bond), lines.contains(#"changed org.bluez.Device1.Paired {"b":true}"#) {
            bondsOfStandingLinks.insert(message.sequence)
        }
        if message.mayBeMissing { dispensable[message.sequence, default: []].formUnion(lines) }
        try compare(message.sequence)
        for (sequence, line) in Self.news(of: message, after: &expectedAir) {
            expected[sequence, default: []].append(line)
            try compare(sequence)
        }
    }

    /// This message has come.
    mutating func observe(_ message: Trace.Message) throws {
        observed[message.sequence, default: []] += message.normal(alternatives: alternatives)
        try compare(message.sequence)
        for (sequence, line) in Self.news(of: message, after: &observedAir) {
            observed[sequence, default: []].append(line)
            try compare(sequence)
        }
    }

    /// A far device is given another signal strength: it is chance whether a packet is heard with the one before.
    mutating func setStrength(_ rssi: Int, of device: Int) {
        tolerated["/org/bluez/hci0/dev_C0_00_00_00_00_0\(device) on the air: RSSI"] =
            #"{"n":\#(strengths[device] ?? -50)}"#
        strengths[device] = rssi
    }

    /// bluetoothd is ended in order.
    mutating func endDaemon() { isEnding = true }

    /// The new values in a message about a heard device: a sequence for each property.
    private static func news(
        of message: Trace.Message, after last: inout [String: String]
    ) -> [(sequence: String, line: String)] {
        guard let air = message.air else { return [] }
        return air.values.sorted { $0.key < $1.key }.compactMap { name, value in
            let sequence = "\(air.object) on the air: \(name)"
            if last[sequence, default: "unknown"] == value { return nil }
            last[sequence] = value
            return (sequence, value)
        }
    }

    /// The first line of the trace that the replay lacks.
    var missing: String? {
        Self.beyond(expected, observed).map { "\(name): \($0): never came: \($1)" }
    }

    /// The first line of the replay that the trace lacks; devices that are not in the trace are left out, because the
    /// daemon forgets them at any time.
    var surplus: String? {
        let own = observed.filter {
            (!$0.key.contains("/dev_") || $0.key.contains("/dev_C0_00_00_00_00_0")) && !isHeardAgain($0.key)
        }
        return Self.beyond(own, expected).map { "\(name): \($0): came, but is not recorded: \($1)" }
    }

    /// Whether a sequence is of a device that comes, and perhaps goes, once more after the end of its recording.
    private func isHeardAgain(_ sequence: String) -> Bool {
        let device = String(sequence.prefix { $0 != " " })
        guard isEnding, let lines = observed[device], let all = expected[device], lines.count > all.count,
            let removal = all.last, removal.hasPrefix("removed "),
            let addition = all.first(where: { $0.hasPrefix("added ") })
        else { return false }
        return [addition, removal].starts(with: lines[all.count...])
    }

    private static func beyond(_ some: [String: [String]], _ others: [String: [String]]) -> (String, String)? {
        for (sequence, lines) in some.sorted(by: { $0.key < $1.key }) {
            let count = others[sequence]?.count ?? 0
            if count < lines.count { return (sequence, lines[count]) }
        }
        return nil
    }

    /// Whether the line is the signal `Connected`, which bluetoothd leaves out now and then because the link's socket
    /// was up before the kernel's report of the link.
    private static func isUntold(_ line: String, before came: String) -> Bool {
        line == #"changed org.bluez.Device1.Connected {"b":true}"# && came == "return org.bluez.Device1.Connect []"
    }

    /// Whether a line may come before others that were recorded before it. A `Pair` that makes the link asks the kernel
    /// for the bond and the peer for its services at once (`att_connect_cb` in bluetoothd's src/device.c): which result
    /// is signalled first is chance. Both come before the answer, and `Paired` waits for the services. A `Pair` on a
    /// link that stands waits for nothing: the kernel reports its end and the key apart, `Paired` and the answer follow
    /// the first of both (`device_bonding_complete`), and `Bonded` the key.
    private func may(_ line: String, overtake others: ArraySlice<String>, in sequence: String) -> Bool {
        func isOfServices(_ line: String) -> Bool {
            ["UUIDs", "ServicesResolved", "Paired"].contains { line.hasPrefix("changed org.bluez.Device1.\($0) ") }
        }
        if line == Self.bond { return others.allSatisfy(isOfServices) }
        let isAnswer = line == "return org.bluez.Device1.Pair []" && bondsOfStandingLinks.contains(sequence)
        return (isOfServices(line) || isAnswer) && others.allSatisfy { $0 == Self.bond }
    }

    private static let bond = #"changed org.bluez.Device1.Bonded {"b":true}"#

    private mutating func compare(_ sequence: String) throws {
        var index = compared[sequence] ?? 0
        while let came = observed[sequence]?[at: index], let then = expected[sequence]?[at: index] {
            if came == then {
                index += 1
                tolerated[sequence] = nil
            } else if tolerated[sequence] == came {
                observed[sequence]?.remove(at: index)
            } else if dispensable[sequence]?.contains(then) == true || Self.isUntold(then, before: came) {
                expected[sequence]?.remove(at: index)
            } else if let turn = expected[sequence]?[index...].firstIndex(of: came),
                let before = expected[sequence]?[index..<turn], may(came, overtake: before, in: sequence)
            {
                expected[sequence]?.remove(at: turn)
                expected[sequence]?.insert(came, at: index)
            } else {
                throw ReplayError("\(name): \(sequence): came: \(came)\nrecorded: \(then)")
            }
        }
        compared[sequence] = index
    }
}

extension [String] {
    fileprivate subscript(at index: Int) -> String? { index < count ? self[index] : nil }
}
