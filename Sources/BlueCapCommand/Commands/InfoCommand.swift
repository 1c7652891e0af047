// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Connect to a device and show all that it has.",
        usage: "bluecap info <device> [<options>]",
        discussion: """
            Shows the device's services, their characteristics and descriptors. In front of each characteristic stands \
            its handle, behind it its properties, and below it its value, where it can be read: as the library's profile \
            reads it, and in hexadecimal digits. Handles, names and UUIDs are what 'bluecap read', 'write' and 'notify' \
            take. At the end stand when the device was discovered and connected, how often connections were made, \
            timed out and were lost, and for how long it was connected and apart.

            EXAMPLES
              bluecap info "Heart Strap" --backend virtual
              bluecap info C0:DE:00:00:00:01 --no-values
              bluecap info SensorTag --json | jq '.services[].characteristics[].name'

            JSON
              One object: event "device", id, name, rssi, mtu, bonded, discoveredAt,
              services (uuid, shortUUID, name, handle, primary, characteristics),
              statistics (connections, timeouts, disconnections, connectedAt,
              disconnectedAt, and in seconds connected, average of a connection,
              apart). A characteristic has uuid, shortUUID, name, handle, properties,
              value (hexadecimal), text, fields (texts), numbers, units, error (why it
              was not read) and descriptors. What is not known is left out. Keys are
              only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var first: PairFirstOptions

    @Flag(inversion: .prefixedNo, help: "Read the values that can be read.")
    var values = true

    @Flag(help: "Print one JSON object, on a line.")
    var json = false

    func run() async throws {
        let (readsValues, isJSON) = (values, json)
        try await target.run(pairing: first.step) { finder, output, _ in
            try await InfoSession(finder: finder, readsValues: readsValues, isJSON: isJSON, output: output).run()
        }
    }
}
