// SPDX-License-Identifier: MIT

/// Shows a diagnosis.
struct DoctorSession: Sendable {
    let diagnosis: Diagnosis
    var isJSON = false
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` where there is a fault.
    func run() throws {
        if isJSON {
            try output.event(diagnosis)
        } else {
            for line in diagnosis.lines(columns: output.screen?.columns ?? 80) { try output.line(line) }
        }
        if diagnosis.healthy { return }
        let faults = diagnosis.checks.filter { $0.status == .fault }
        let names = faults.map(\.check).joined(separator: ", ")
        throw CommandFailure(diagnosis.status, "found \(TextLayout.count(faults.count, "fault")): \(names)")
    }
}
