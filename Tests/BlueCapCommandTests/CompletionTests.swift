// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

struct CompletionTests {
    @Test func `what begins with the text is offered, in capitals or not, once and in order`() {
        let texts = ["Heart Rate", "Battery Level", "heart", "Heart Rate"]
        #expect(Completion.matches("hEA", texts) == ["Heart Rate", "heart"])
        #expect(Completion.matches("x", texts) == [])
        #expect(Completion.matches("", texts).count == 3)
    }

    @Test(arguments: ["bluez", "virtual", "virtual:house", "virtual:shop", "virtual:storm"])
    func `every backend that is offered can be written`(name: String) {
        #expect(BackendName.choices.contains(name))
        #expect(BackendName(argument: name)?.text == name)
    }
}
