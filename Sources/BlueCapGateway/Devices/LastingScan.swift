// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore
import BlueCapRuntime

/// The radio of a gateway: a scan that goes on after the radio was off.
package struct LastingScan: Sendable {
    /// How long to wait after a scan that failed although the radio is on.
    private static let pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(30)

    /// Packets that come within this time after others are taken together.
    private static let gatheringTime = Duration.milliseconds(150)

    private let central: CentralManager
    private let gateway: DeviceGateway
    private let clock: BlueCapClock

    /// - Parameters:
    ///   - central: The radio.
    ///   - gateway: The gateway that takes the devices, and the ends and returns of the radio.
    ///   - clock: The clock of the radio.
    package init(central: CentralManager, gateway: DeviceGateway, clock: BlueCapClock) {
        (self.central, self.gateway, self.clock) = (central, gateway, clock)
    }

    /// Hears devices until the task is cancelled or the manager is invalidated.
    ///
    /// Nothing else ends it: a service that was killed, an adapter that was pulled out and a permission that was taken
    /// away may all come back.
    ///
    /// The gateway takes a discovery on the manager's executor, so that no other thread is woken for it.
    package func run() async {
        let executor = central.executor
        executor.submit { executor.moderate(by: Self.gatheringTime) }
        await central.run { await listen() }
        executor.submit { executor.moderate(by: .zero) }
    }

    private func listen() async {
        var pause = Self.pauses.lowerBound
        var isFailing = false
        while await radioIsOn() {
            // A scan that fails again and again is not the radio's return each time.
            if !isFailing { await gateway.radioIsBack() }
            do {
                var scan = central.scan(for: [], options: ScanOptions(allowsDuplicates: true))
                scan.keepsAll = true
                for try await discovery in scan {
                    pause = Self.pauses.lowerBound
                    await gateway.hear(discovery)
                }
                return
            } catch {
                if error == .invalidated || Task.isCancelled { return }
                let state = central.state
                await gateway.radioIsLost(state == .poweredOn ? error.message : Self.text(state))
                isFailing = state == .poweredOn
                guard isFailing else { continue }
                do { try await clock.sleep(for: pause) } catch { return }
                pause = min(pause * 2, Self.pauses.upperBound)
            }
        }
    }

    /// Returns when the radio is on; false when that cannot be any more.
    private func radioIsOn() async -> Bool {
        for await state in central.states() {
            if state == .poweredOn { return true }
            // The platform of the manager has reported nothing yet.
            if state == .unknown { continue }
            await gateway.radioIsLost(Self.text(state))
        }
        return false
    }

    private static func text(_ state: ManagerState) -> String {
        switch state {
        case .poweredOff: "Bluetooth is off"
        case .resetting, .unknown: "the Bluetooth service or its adapter is gone"
        case .unsupported: "there is no Bluetooth LE"
        case .unauthorized: "this program may not use Bluetooth"
        case .poweredOn: "Bluetooth is on"
        }
    }
}
#endif
