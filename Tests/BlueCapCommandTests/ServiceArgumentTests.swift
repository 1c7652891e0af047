// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ServiceArgumentTests {
    @Test(
        arguments: [
            ("180F", "180F"), ("battery", "180F"), ("Heart Rate", "180D"), ("heart-rate", "180D"), ("HEART", "180D"),
            ("Link Loss", "1803"), ("f000aa10-0451-4000-b000-000000000000", "F000AA10-0451-4000-B000-000000000000"),
        ] as [(String, BluetoothUUID)])
    func `a service is named by its UUID or its name, in capitals or not`(text: String, uuid: BluetoothUUID) throws {
        #expect(try ServiceArgument(argument: text)?.uuid() == uuid)
    }

    @Test(arguments: [
        ("glucse", "did you mean 'Glucose'?"), ("nonsense service", "'bluecap profiles' lists names"),
        ("device", "choose by UUID:\n"), ("x", "'x' is neither"),
    ])
    func `a name that no service has, or several, is refused with what there is`(text: String, advice: String) throws {
        let argument = try #require(ServiceArgument(argument: text))
        let error = #expect(throws: CommandFailure.self) { try argument.uuid() }
        #expect(error?.status == .usage && error?.message.contains(advice) == true, "\(error)")
    }

    @Test func `the settings take names, and keep UUIDs`() {
        #expect(NamedService("heart rate")?.text == "180D")
        #expect(NamedService("Pulse=Heart Rate")?.text == "Pulse=180D")
        #expect(NamedService("nonsense") == nil)
    }
}
