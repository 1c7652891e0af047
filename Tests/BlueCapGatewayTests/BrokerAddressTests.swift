// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import Testing

@Suite("The address of a broker", .timeLimit(.minutes(60)))
struct BrokerAddressTests {
    @Test(
        arguments: [
            ("mqtt://localhost", "mqtt://localhost:1883"), ("mqtts://broker.lan", "mqtts://broker.lan:8883"),
            ("broker.lan:1884", "mqtt://broker.lan:1884"), ("mqtt://[fe80::1]:1884/", "mqtt://[fe80::1]:1884"),
            ("MQTTS://[::1]", "mqtts://[::1]:8883"), ("tcp://10.0.0.7", "mqtt://10.0.0.7:1883"),
        ])
    func `has the usual port of its protocol unless it names one`(text: String, whole: String) throws {
        #expect(try BrokerAddress(text: text).description == whole)
    }

    @Test(
        arguments: [
            ("http://localhost", .scheme("http")), ("mqtt://house:secret@broker", .credentials), ("", .host),
            ("mqtt://", .host), ("fe80::1", .host), ("mqtt://[::1", .host), ("mqtt://a b", .host),
            ("mqtt://broker/path", .host), ("broker:0", .port("0")), ("broker:65536", .port("65536")),
            ("broker:", .port("")), ("broker:x", .port("x")),
        ] as [(String, BrokerAddressError)])
    func `is refused with the reason`(text: String, error: BrokerAddressError) {
        #expect(throws: error) { try BrokerAddress(text: text) }
    }
}
#endif
