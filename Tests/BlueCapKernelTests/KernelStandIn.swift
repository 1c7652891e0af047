// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
import BlueCapTestExecutor

// SAFETY: the monitor is only touched on the loop.
/// A monitor for adapter 0 over a kernel that a test plays.
final class KernelStandIn: @unchecked Sendable {
    let kernel: FakeKernel
    let events = Recorder<PacketMonitor.Event>()
    private let loop: EventLoop
    private var monitor: PacketMonitor?

    /// Starts a monitor.
    init() async throws(LoopError) {
        loop = try EventLoop()
        kernel = try FakeKernel()
        await loop.run { [self] in
            let monitor = PacketMonitor(
                on: loop, pause: .zero, patience: .seconds(3_600),
                open: { [kernel] () throws(ManagementError) in
                    try kernel.open()
                }, handler: { self.events.add($0) })
            self.monitor = monitor
            monitor.start(controller: 0)
        }
    }

    func stop() async { await loop.run { [self] in monitor?.stop() } }

    func end() async {
        await stop()
        await kernel.end()
        await loop.stop()
    }
}
#endif
