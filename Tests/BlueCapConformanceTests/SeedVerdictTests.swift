// SPDX-License-Identifier: MIT

import Testing

struct SeedVerdictTests {
    private struct Fault: Error { let run: Int }

    /// - Parameter failing: The runs that fail, counted from 0.
    private func verdict(failing: Set<Int>) async -> SeedVerdict<Fault>? {
        var run = -1
        return await SeedVerdict.play { _ in
            run += 1
            return failing.contains(run) ? Fault(run: run) : nil
        }
    }

    @Test func `a seed that fails once and passes ten times after that has failed`() async throws {
        let verdict = try #require(await verdict(failing: [0]))
        #expect(verdict.first.run == 0 && verdict.repeats == 0)
    }

    @Test func `a seed that fails again and again keeps its first failure`() async throws {
        let verdict = try #require(await verdict(failing: [0, 3, 10]))
        #expect(verdict.first.run == 0 && verdict.repeats == 2)
    }

    @Test func `a seed that passes is played once`() async {
        #expect(await verdict(failing: [1]) == nil)
    }
}
