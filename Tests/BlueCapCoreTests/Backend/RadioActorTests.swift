// SPDX-License-Identifier: MIT

import BlueCapCore
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RadioActorTests {
    @Test func `what is not Sendable reaches the actor as an argument of code that runs on its executor`() async {
        let keeper = Keeper()
        let name = await withCheckedContinuation { continuation in
            keeper.executor.submit {
                let device = Device(name: "Cellar")
                let name = keeper.onExecutor(with: (device, -60)) { keeper, found in
                    keeper.keep(found.0)
                    return "\(found.0.name) \(found.1)"
                }
                continuation.resume(returning: name)
            }
        }
        #expect(name == "Cellar -60")
        #expect(await keeper.names == ["Cellar"])
    }

    @Test func `an argument from anywhere but the executor is a trap`() async {
        await #expect(processExitsWith: .failure) {
            let keeper = Keeper()
            keeper.onExecutor(with: Device(name: "Cellar")) { $0.keep($1) }
        }
    }
}

/// An object of a platform: a class that is not Sendable.
private final class Device {
    var name: String

    init(name: String) { self.name = name }
}

/// Holds such objects, as a backend does.
private actor Keeper: RadioActor {
    nonisolated let executor: any BackendExecutor = DispatchBackendExecutor(label: "RadioActorTests")
    // SAFETY: a `let` of this actor keeps the executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    private var devices: [Device] = []

    var names: [String] { devices.map(\.name) }

    func keep(_ device: Device) { devices.append(device) }
}
