// SPDX-License-Identifier: MIT

import CBaseline
import Foundation
import SerDeRows

/// Runs every row a fixed number of times between two functions that callgrind knows by name, and prints for each row
/// its name, the number of times and the heap allocations of all of them together.
@main
enum Instructions {
    static func main() {
        let times = 800
        for row in Row.all() + Row.sensors() {
            FileHandle.standardError.write(Data("  \(row.name)\n".utf8))
            // Caches, lazy globals and symbols that are bound at the first call.
            var sum = row.run(64)
            let before = benchmark_allocations()
            benchmark_row_begins()
            sum &+= row.run(times)
            benchmark_row_ends()
            let allocations = benchmark_allocations() - before
            // The compiler would drop an unused sum.
            withUnsafePointer(to: sum) { benchmark_consume($0) }
            print("\(row.name)\t\(times)\t\(allocations)")
        }
    }
}
