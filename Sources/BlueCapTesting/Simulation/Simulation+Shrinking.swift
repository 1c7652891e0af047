// SPDX-License-Identifier: MIT

extension Simulation {
    /// Leaves out as many steps as can be left out of a run that fails: halves first, single steps last.
    ///
    /// - Parameter fails: Whether a run with these steps fails.
    func shrink(
        _ steps: [SimulationStep], fails: ([SimulationStep]) async -> Bool
    ) async -> [SimulationStep] {
        var steps = steps
        var size = max(steps.count / 2, 1)
        var left = shrinkingLimit
        while left > 0 {
            var isSmaller = false
            var start = 0
            while start < steps.count, left > 0 {
                let fewer = Array(steps[..<start] + steps[min(start + size, steps.count)...])
                left -= 1
                if await fails(fewer) {
                    steps = fewer
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            size = max(size / 2, 1)
        }
        return steps
    }
}
