// SPDX-License-Identifier: MIT

/// The faults of Bluetooth on a machine, each with its remedy.
struct Diagnosis: Encodable, Sendable, Hashable {
    enum Status: String, Encodable, Sendable {
        case ok
        case fault
        /// Not asked, since a fault before it decides it.
        case skipped
    }

    struct Check: Encodable, Sendable, Hashable {
        var check: String
        var status: Status
        var finding: String
        var remedy: String?
    }

    /// The advice that follows the reason why there is no radio.
    static let hint = "; 'bluecap doctor' finds what is wrong, and '--backend virtual' needs no radio"

    var event = "doctor"
    var healthy: Bool
    var checks: [Check]
    /// Whether it is this user alone that Bluetooth does not work for.
    private let isForbidden: Bool
    /// Whether Bluetooth works, and a fault is one of a gateway or a proxy.
    private let hasRadio: Bool

    private enum CodingKeys: CodingKey {
        case event
        case healthy
        case checks
    }

    /// - Parameters:
    ///   - facts: The facts of the machine; nil for a virtual radio, which does not depend on them.
    ///   - radio: The library's answer.
    ///   - others: The checks of a gateway and a proxy, which need no other.
    init(_ facts: MachineFacts?, _ radio: RadioAnswer, others: [Check] = []) {
        let areWell = others.allSatisfy { $0.status != .fault }
        guard let facts else {
            let virtual = Check(check: "radio", status: .ok, finding: "a virtual radio needs nothing of this machine")
            checks = [virtual] + others
            (healthy, isForbidden, hasRadio) = (areWell, false, true)
            return
        }
        var checks: [Check] = []
        // Each check needs those before it, so checks after a fault report nothing. The radio's switches are always
        // reported.
        var hasFault = false
        for (name, check) in Self.order {
            let found =
                hasFault && name != "rfkill"
                ? Check(check: name, status: .skipped, finding: "mend the fault above first")
                : check(facts, radio) ?? Check(check: name, status: .skipped, finding: "not known")
            if found.status == .fault { hasFault = true }
            checks.append(found)
        }
        (self.checks, healthy, hasRadio) = (checks + others, !hasFault && areWell, !hasFault)
        let fault = checks.first { $0.status == .fault }?.check
        isForbidden = fault == "permission" || fault == "bus" && facts.bus == .forbidden
    }

    var status: ToolStatus {
        if healthy { return .done }
        if hasRadio { return .tryAgain }
        return isForbidden ? .notAuthorized : .noRadio
    }

    private typealias Examination = @Sendable (MachineFacts, RadioAnswer) -> Check?

    private static let order: [(String, Examination)] = [
        ("build", build), ("libdbus", libdbus), ("container", container), ("bus", bus), ("bluetoothd", daemon),
        ("permission", permission), ("rfkill", rfkill),
        ("adapter", adapter), ("power", power), ("bearer", bearer),
    ]

    /// Columns for a person: the state, the name, the finding, and below it the command that removes the fault.
    func lines(columns: Int) -> [String] {
        checks.flatMap { check in
            let state = check.status == .fault ? "FAULT" : check.status.rawValue
            let lead = TextLayout.pad(state, to: 7) + "  " + TextLayout.pad(check.check, to: 10) + "  "
            let width = max(columns - lead.count, 20)
            let indent = String(repeating: " ", count: lead.count)
            let found = TextLayout.wrap(check.finding, to: width).split(separator: "\n").map(String.init)
            let text = zip([lead] + Array(repeating: indent, count: found.count), found).map { $0 + $1 }
            // A line to be copied is not broken.
            return text + (check.remedy.map { [indent + "→ " + $0] } ?? [])
        }
    }
}
