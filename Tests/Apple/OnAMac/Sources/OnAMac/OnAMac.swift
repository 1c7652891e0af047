// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// The checks of both roles against a second device: see Tests/Apple/README.md.
///
/// - Without an option: over the platform's radio, with the second device that `second-device` makes of a Linux
///   machine.
/// - `--virtual`: over a virtual radio, with the second device in this process, which shows that the checks are right.
/// - `--device`: prints the second device, for `bluecap emulate`.
/// - `--far-central`: is the second device's central, until it has used this program's service once.
@main
struct OnAMac {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--device") { return print(SecondDevice.twin.json) }
        if arguments.contains("--far-central") { return try await FarCentral(CentralManager()).use() }
        var checks = Checks(total: 33)
        if arguments.contains("--virtual") {
            let radio = VirtualRadio()
            radio.add(twin: SecondDevice.twin, replay: .repeating)
            let central = CentralManager(backend: radio.central(), configuration: .init(acceptsJustWorks: true))
            await CentralChecks(central).run(&checks)
            let far = FarCentral(CentralManager(backend: radio.central(address: "C0:DE:00:00:00:09")))
            let user = Task { try await far.use() }
            await PeripheralChecks(PeripheralManager(backend: radio.peripheral())).run(&checks)
            user.cancel()
        } else {
            #if canImport(CoreBluetooth)
            let radio = AppleRadio()
            await CentralChecks(CentralManager(backend: radio.backend), radio.switchOnAgain).run(&checks)
            #else
            await CentralChecks(CentralManager()).run(&checks)
            #endif
            await PeripheralChecks(PeripheralManager()).run(&checks)
        }
        try checks.finish()
    }
}
