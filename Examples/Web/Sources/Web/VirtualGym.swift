// SPDX-License-Identifier: MIT

import BlueCap
import ServiceLifecycle

/// Two people with straps.
struct VirtualGym: ServiceLifecycle.Service {
    let radio = VirtualRadio()
    private let measurements = [70, 120].map { rest in
        (rest, VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.notify]))
    }

    init() {
        for (name, (_, measurement)) in zip(["Ada", "Bob"], measurements) {
            let service = VirtualService(HeartRateService.uuid, characteristics: [measurement])
            radio.add(VirtualPeripheral(name: name, services: [service]))
        }
    }

    /// Measures five times a second.
    func run() async {
        await cancelWhenGracefulShutdown {
            for step in 0... {
                if Task.isCancelled { return }
                for (rest, measurement) in measurements {
                    measurement.notify(HeartRateService.Measurement(beatsPerMinute: UInt16(rest + step % 20)))
                }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
