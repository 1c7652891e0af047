// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct AdaptersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapters", abstract: "Show the Bluetooth adapters of this machine.",
        usage: "bluecap adapters [<options>]",
        discussion: """
            For each adapter its name and address, which --adapter takes everywhere, whether it is on, the name that others \
            see, and what it can do. Without an adapter it ends with 69; 'bluecap doctor' says why there is none.

            EXAMPLES
              bluecap adapters
              bluecap adapters --json | jq -r 'select(.powered) | .name'
              bluecap adapters --backend virtual

            JSON
              One object a line: event "adapter", name, address, alias, powered,
              scanning, pairable, roles, advertisements, advertisementCapacity,
              version (of bluetoothd). Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Option(help: ArgumentHelp("The radio: bluez or virtual. (default: the platform's)", valueName: "name"))
    var backend: BackendName?

    @Flag(help: "Print one JSON object for each adapter, on a line.")
    var json = false

    func run() async throws {
        let (backend, isJSON) = (backend, json)
        try await runCommand {
            let backend = try backend ?? SettingsFile.current.get().text(.backend).flatMap { BackendName(argument: $0) }
            let source: @Sendable () async throws -> [AdapterReport] =
                if backend?.isVirtual == true {
                    { [AdapterReport(VirtualRadio().adapter())] }
                } else {
                    { try await Self.platformAdapters() }
                }
            try await AdaptersSession(adapters: source, isJSON: isJSON, output: StandardOutput(draws: false)).run()
        }
    }

    private static func platformAdapters() async throws -> [AdapterReport] {
        #if os(Linux) && BlueZ
        return try await BlueZListener().adapters().map { AdapterReport($0) }
        #else
        throw CommandFailure(.noRadio, "only BlueZ tells of adapters, and this program was built without it")
        #endif
    }
}
