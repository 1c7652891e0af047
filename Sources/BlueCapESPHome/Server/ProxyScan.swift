// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime

/// The scan of a proxy, which goes on after the radio was off.
struct ProxyScan {
    /// How long to wait after a scan that failed although the radio is on.
    private static let pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(30)
    /// How many advertisements wait for a proxy that is busy.
    private static let capacity = 4096

    let central: CentralManager

    /// Hears devices until the task is cancelled or the manager is invalidated.
    ///
    /// It runs on the server, so that no sighting changes its thread.
    func run(for server: isolated ProxyServer) async {
        var pause = Self.pauses.lowerBound
        var mode = ScanMode.everyPacket
        while await radioIsOn() {
            var scan = central.scan(
                for: [], options: ScanOptions(allowsDuplicates: true, mode: mode), capacity: .newest(Self.capacity))
            scan.keepsAll = true
            do {
                var dropped = 0
                for try await discovery in scan {
                    pause = Self.pauses.lowerBound
                    server.hear(discovery)
                    if scan.droppedCount > dropped {
                        server.missed(scan.droppedCount - dropped)
                        dropped = scan.droppedCount
                    }
                }
                return
            } catch {
                server.hearNone()
                if case .scanModeNotSupported = error {
                    mode = .active
                    continue
                }
                if error == .invalidated || Task.isCancelled { return }
                guard central.state == .poweredOn else {
                    mode = .everyPacket
                    continue
                }
                do { try await (central.executor.timerClock ?? central.clock).sleep(for: pause) } catch { return }
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    /// Returns when the radio is on; false when that cannot be any more.
    private func radioIsOn() async -> Bool {
        for await state in central.states() where state == .poweredOn { return true }
        return false
    }
}

extension ScannerStateResponse {
    /// The state of the scan while somebody listens.
    init(_ radio: ManagerState) {
        state = radio == .poweredOn ? 2 : radio == .unknown ? 1 : 3
        (mode, configuredMode) = (1, 1)
    }
}
#endif
