// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapCapture

struct CaptureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture", abstract: "Write what a virtual run does as a capture, for Wireshark.",
        usage: "bluecap capture [<twin> ...] -o <file> [<options>]",
        discussion: """
            A central in a small virtual world scans, connects to each device, reads all that it has, and listens to what \
            it notifies. What its controller would exchange with it goes into the file: advertising reports, connections, \
            and the Attribute Protocol. With files of twins, these are the devices instead; their L2CAP channels are opened, \
            and sent as many units as each waits for. Time is simulated: nothing \
            waits, and the same seed gives the same file. A device is listened to for 100000 notifications of one \
            characteristic at most, and this is said where there would be more.

            The file is pcapng where its name ends so, and btsnoop otherwise; 'bluecap twin' reads both.

            EXAMPLES
              bluecap capture -o run.btsnoop
              bluecap capture lamp.json -o lamp.pcapng --duration 60
              bluecap capture -o run.btsnoop --datalink 1002 && wireshark run.btsnoop
              bluecap capture -o run.btsnoop && bluecap twin run.btsnoop

            JSON
              One object: event "captured", path, packets (how many). Keys are only
              ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "Files of twins to have in the air instead of the virtual world.")
    var twin: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"))
    var output: String

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Simulated time to listen to each device.", valueName: "seconds"))
    var duration = Seconds(5)

    @Option(help: ArgumentHelp("What all chance in the virtual world follows from.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Of btsnoop: 2001 (Linux monitor), 1002 (UART, as Android) or 1001 (HCI).", valueName: "number"))
    var datalink: UInt32?

    @Flag(help: "Print one JSON object about the file, on a line.")
    var json = false

    func validate() throws {
        if json, output == "-" { throw ValidationError("--json and --output - would both be standard output") }
        guard let datalink else { return }
        guard BTSnoopDatalink(rawValue: datalink) != nil else {
            throw ValidationError("--datalink must be 1001, 1002 or 2001")
        }
        if output.hasSuffix(".pcapng") {
            throw ValidationError("--datalink is btsnoop's, and \(output) is to be pcapng: leave one of them out")
        }
    }

    /// The file's form, by the option and its name.
    var form: CaptureWriter.Form {
        if let datalink = datalink.flatMap(BTSnoopDatalink.init(rawValue:)) { return .btsnoop(datalink) }
        return output.hasSuffix(".pcapng") ? .pcapng : .btsnoop(.monitor)
    }

    func run() async throws {
        let command = self
        try await runCommand {
            let twins = try command.twin.map { try ToolFile.twin($0) }
            let plan = CaptureSession.Plan(
                twins: twins, form: command.form, duration: command.duration.duration, seed: command.seed)
            let file = try OutputFile(command.output)
            let count = try await CaptureSession(plan: plan, write: { try file.write($0) }).run()
            try file.close()
            if command.json {
                let event = FileEvent(packets: count, path: command.output)
                try StandardOutput(draws: false).line(JSONLine.text(event))
            }
        }
    }
}
