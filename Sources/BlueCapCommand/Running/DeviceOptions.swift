// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The argument and the options of a command that connects to a device.
struct DeviceOptions: ParsableArguments {
    @Argument(
        help: "The device: its identifier or its whole name; of several with the name, the first that is heard.",
        completion: Completion.devices)
    var device: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long each step on the way may take. (default: 10)", valueName: "seconds"))
    var timeout: Seconds?

    @OptionGroup var radio: RadioOptions

    func validate() throws { try Self.requireName(device) }

    /// Refuses a name of a device that is empty, as a variable of a script can be.
    static func requireName(_ device: String) throws {
        if device.allSatisfy(\.isWhitespace) { throw ValidationError("the name of the device is empty") }
    }

    /// Runs a command's work on the chosen radio, with a finder for the device.
    ///
    /// - Parameter pairing: Connects and pairs before the command's work; nil where that is not wanted.
    func run(
        pairing: DeviceFinder.PairingStep? = nil,
        _ work: @escaping @Sendable (DeviceFinder, any LineOutput, BlueCapClock) async throws -> Void
    ) async throws {
        let options = self
        try await runCommand {
            let settings = try SettingsFile.current.get()
            try await options.radio.resolved(settings).withRadio { virtual, central, clock in
                let timeout = options.timeout?.duration ?? settings.duration(.timeout, or: nil) ?? .seconds(10)
                var finder = DeviceFinder(central: central, device: options.device, timeout: timeout)
                let questions = UserQuestions()
                finder.pairing = pairing
                finder.ask = { await questions.ask($0) }
                finder.inhabitants = virtual.map { WorldUsers(radio: $0) }
                try await work(finder, StandardOutput(draws: false), clock)
            }
        }
    }
}
