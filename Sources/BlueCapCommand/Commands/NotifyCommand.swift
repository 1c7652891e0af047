// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Connect to a device and print the values that it notifies.",
        discussion: """
            Finds the device by its identifier (a Bluetooth address on Linux) or its whole name, connects, discovers,
            subscribes, and prints each value: hexadecimal digits, then the value itself where the characteristic is known
            or the bytes are text. Progress goes to standard error. At the end notifications are switched off and the
            device is disconnected.

            EXAMPLES
              bluecap notify C0:DE:00:00:00:01 2A19 --count 5
              bluecap notify "Heart Strap" 2A19 --backend virtual --duration 10
              bluecap notify SensorTag f000aa11-0451-4000-b000-000000000000 --backend virtual --json
              bluecap notify SensorTag f000aa11-0451-4000-b000-000000000000 --reconnect --socket

            \(ToolStatus.help)
            """)

    @Argument(help: "The device: its identifier or its whole name.")
    var peripheral: String

    @Argument(help: "The UUID of the characteristic.")
    var characteristic: UUIDArgument

    @Option(help: ArgumentHelp("The service, where several have such a characteristic.", valueName: "uuid"))
    var service: UUIDArgument?

    @Option(help: ArgumentHelp("End after so many values.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("End after so long; 75 if no value came.", valueName: "seconds"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp(
            "How long finding, connecting, discovering and subscribing may take, each.", valueName: "seconds"))
    var timeout = Seconds(10)

    @Flag(help: "Connect and subscribe again whenever the link is lost.")
    var reconnect = false

    @Flag(help: "Take values over a socket of their own (BlueZ's AcquireNotify), which costs less for each.")
    var socket = false

    @Flag(help: "Print one JSON object for each value, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    }

    func run() async throws {
        let plan = NotifySession.Plan(
            peripheral: peripheral, characteristic: characteristic.uuid, service: service?.uuid, count: count,
            duration: duration?.duration, timeout: timeout.duration, reconnects: reconnect,
            transport: socket ? .socket : .standard, isJSON: json)
        let radio = radio
        try await runCommand {
            try await radio.withCentral { central, clock in
                let output = StandardOutput(draws: false)
                try await NotifySession(central: central, plan: plan, output: output, clock: clock).run()
            }
        }
    }
}
