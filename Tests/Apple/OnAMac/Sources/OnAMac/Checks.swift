// SPDX-License-Identifier: MIT

/// Runs checks one after another, prints a line for each, and counts.
struct Checks {
    /// A check that found something else than it expects.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    let total: Int
    private var count = 0
    private var failed: [String] = []

    init(total: Int) { self.total = total }

    /// Runs a check: it holds unless it throws.
    mutating func check(_ name: String, _ body: () async throws -> Void) async {
        count += 1
        let place = "\(count)/\(total)"
        do {
            try await body()
            print("ok     \(place) \(name)")
        } catch {
            failed.append("\(place) \(name): \(error)")
            print("FAILED \(place) \(name): \(error)")
        }
    }

    /// Prints the summary, and throws unless all checks were made and hold.
    func finish() throws {
        print("\n\(count - failed.count) passed, \(failed.count) failed, \(total - count) not made")
        for line in failed { print("FAILED \(line)") }
        if !failed.isEmpty || count != total { throw Unexpected("not all checks hold") }
    }
}

/// Throws unless a condition holds.
func expect(_ condition: Bool, _ explanation: @autoclosure () -> String) throws {
    if !condition { throw Checks.Unexpected(explanation()) }
}
