// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// The lines of standard input, read one by one as they are asked for, so that a long script waits in its file.
final class ShellFeed: Sendable {
    // SAFETY: only the thread that is made for reading waits for it, never a task; `next` signals, which
    // blocks nothing.
    private let demand = DispatchSemaphore(value: 0)

    /// Begins to read, for each ``next()`` one line. A process makes one, whose thread ends with the input.
    init(into inputs: ShellInputs) {
        // Reading blocks.
        Thread.detachNewThread { [demand] in
            while true {
                demand.wait()
                guard let line = readLine() else { return inputs.push(.ended) }
                inputs.push(.line(line))
            }
        }
    }

    /// Asks for a line.
    func next() { demand.signal() }
}
