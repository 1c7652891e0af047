// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import BlueCapCommand

struct CompletionTests {
    @Test func `what begins with the text is offered, in capitals or not, once and in order`() {
        let texts = ["Heart Rate", "Battery Level", "heart", "Heart Rate"]
        #expect(Completion.matches("hEA", texts) == ["Heart Rate", "heart"])
        #expect(Completion.matches("x", texts) == [])
        #expect(Completion.matches("", texts).count == 3)
    }

    @Test(arguments: [
        "$(touch /tmp/a)", "`id`", "a'b", "a\"b", "a\\b", "a;b", "a&b", "a|b", "a>b", "a*b", "~root", "a\nb",
        "a\u{1B}[2J",
        "-rf", "C0:DE:00:00:00:01", "Ä", "",
    ])
    func `a name that a shell could take for something else is not offered`(name: String) {
        #expect(!Completion.isSafe(name))
    }

    @Test(arguments: ["Lamp", "Heart Strap", "LYWSD03MMC", "p-2_b.1"])
    func `a plain name is offered`(name: String) {
        #expect(Completion.isSafe(name))
    }

    @Test(arguments: [
        "info -- positional@0", "read -- positional@1", "notify -- --service", "scan -- --service",
        "device -- --advertise", "profiles -- positional@0", "scan -- --adapter",
    ])
    func `the shell asks the tool for the names of devices, services, characteristics and adapters`(place: String) {
        #expect(BlueCapCommand.completionScript(for: .bash).contains("\(place) "))
    }

    @Test(arguments: ["bluez", "virtual", "virtual:house", "virtual:sensors", "virtual:shop", "virtual:storm"])
    func `every backend that is offered can be written`(name: String) {
        #expect(BackendName.choices.contains(name))
        #expect(BackendName(argument: name)?.text == name)
    }
}
