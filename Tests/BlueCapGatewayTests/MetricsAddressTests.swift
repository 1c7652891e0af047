// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import Testing

@Suite("The address of metrics", .timeLimit(.minutes(60)))
struct MetricsAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1:9464"), ("0.0.0.0:0", "0.0.0.0:0"), ("[::1]:65535", "[::1]:65535"),
            ("localhost:9464", "127.0.0.1:9464"),
        ])
    func `is one of this machine with a port`(text: String, whole: String) throws {
        #expect(try MetricsAddress(text: text).description == whole)
    }

    @Test(
        arguments: [
            "", "127.0.0.1", ":9464", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:x", "::1:9464",
            "[::1]", "[::1:9464", "[127.0.0.1:9464", "house.lan:9464", "127.1:9464", "127.0.0.1:9464/metrics",
            "http://127.0.0.1:9464",
        ])
    func `is refused where it is no number of an address with a port`(text: String) {
        #expect(throws: MetricsAddressError()) { try MetricsAddress(text: text) }
    }
}
#endif
