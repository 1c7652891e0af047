// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

@Suite("The Nordic UART service", .timeLimit(.minutes(60)))
struct NordicUARTTests {
    @Test func `the UUIDs stand on one base`() {
        #expect(Nordic.UARTService.uuid == "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(Nordic.UARTService.RX.uuid == "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(Nordic.UARTService.TX.uuid == "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    }

    @Test func `the central writes to RX and is notified by TX`() {
        #expect(Nordic.UARTService.RX.properties == [.write, .writeWithoutResponse])
        #expect(Nordic.UARTService.TX.properties == .notify)
    }

    @Test func `text goes as UTF-8`() {
        let hello = Nordic.UARTService.RX("hé\r\n")
        expectBytes(hello, [0x68, 0xc3, 0xa9, 0x0d, 0x0a])
        #expect(hello.text == "hé\r\n")
        #expect(hello.stringValue == ["text": "hé\r\n", "hex": "68c3a90d0a"])
        #expect(Nordic.UARTService.RX(stringValue: ["text": "hé\r\n"]) == hello)
    }

    @Test func `bytes that are no text have none, and are read from hexadecimal alone`() {
        let half = Nordic.UARTService.TX(rawValue: [0x68, 0xc3])
        #expect(half.text == nil)
        #expect(half.stringValue == ["hex": "68c3"])
        #expect(Nordic.UARTService.TX(stringValue: ["hex": "6"]) == nil)
        #expect(Nordic.UARTService.TX(stringValue: [:]) == nil)
    }

    @Test func `any bytes survive bytes and text`() {
        expectRoundTrips(of: Nordic.UARTService.RX.self, inputs: 500)
        expectRoundTrips(of: Nordic.UARTService.TX.self, inputs: 500)
    }
}
