// SPDX-License-Identifier: MIT

package import BlueCapCore
package import BlueCapRuntime

#if Gateway && BlueZ && os(Linux)
import BlueCapDBus
#endif

extension CentralManager {
    /// The continuous clock with the timers of the manager's executor, for tasks that run there; nil where it has none.
    package nonisolated var executorClock: BlueCapClock? {
        #if Gateway && BlueZ && os(Linux)
        (executor as? EventLoop)?.clock
        #else
        nil
        #endif
    }
}
