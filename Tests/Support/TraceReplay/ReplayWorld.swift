// SPDX-License-Identifier: MIT

package import BlueCapCore
package import BlueCapTesting

/// A conformance world of the BlueZ backend in which a trace is replayed: its daemon can be stopped and started.
package protocol ReplayWorld: ConformanceWorld {
    /// The address of the bus that the daemon is on.
    var busAddress: String { get }

    /// A far device in the central role, with its address, whose ATT packets have `unit` bytes at most.
    func farCentral(unit: Int) async throws -> (central: any FarCentral, address: PeerIdentifier)

    /// Sends a far device a command that only the test bed has words for, and returns the answer; both are JSON.
    func send(_ command: String, to device: Int) async throws -> String

    /// Returns once the kernel has finished the work that the daemon has answered already, after this time at most.
    func letKernelFinish(within limit: Duration) async throws

    /// Ends the daemon as a crash does.
    func killDaemon() async throws

    /// Starts the daemon after ``killDaemon()``.
    func startDaemon() async throws

    /// Stops the daemon in good order, and starts it again.
    func restartDaemon() async throws

    /// Pulls the adapter out, or plugs it in again.
    func setAdapter(present isPresent: Bool) async throws
}
