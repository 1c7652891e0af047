import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("The Nordic UART service", .timeLimit(.minutes(1)))
struct NordicUARTTests {
    @Test("the UUIDs stand on one base")
    func uuids() {
        #expect(NordicUARTService.uuid == "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(NordicUARTService.RX.uuid == "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(NordicUARTService.TX.uuid == "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
    }

    @Test("the central writes to RX and is notified by TX")
    func properties() {
        #expect(NordicUARTService.RX.properties == [.write, .writeWithoutResponse])
        #expect(NordicUARTService.TX.properties == .notify)
    }

    @Test("text goes as UTF-8")
    func text() {
        let hello = NordicUARTService.RX("hé\r\n")
        expectBytes(hello, [0x68, 0xc3, 0xa9, 0x0d, 0x0a])
        #expect(hello.text == "hé\r\n")
        #expect(hello.stringValue == ["text": "hé\r\n", "hex": "68c3a90d0a"])
        #expect(NordicUARTService.RX(stringValue: ["text": "hé\r\n"]) == hello)
    }

    @Test("bytes that are no text have none, and are read from hexadecimal alone")
    func bytes() {
        let half = NordicUARTService.TX(rawValue: [0x68, 0xc3])
        #expect(half.text == nil)
        #expect(half.stringValue == ["hex": "68c3"])
        #expect(NordicUARTService.TX(stringValue: ["hex": "6"]) == nil)
        #expect(NordicUARTService.TX(stringValue: [:]) == nil)
    }

    @Test("any bytes survive bytes and text")
    func roundTrips() {
        expectRoundTrips(of: NordicUARTService.RX.self)
        expectRoundTrips(of: NordicUARTService.TX.self)
    }
}
