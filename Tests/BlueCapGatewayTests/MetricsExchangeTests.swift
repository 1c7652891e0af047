// SPDX-License-Identifier: MIT

#if Gateway
import Testing

@testable import BlueCapGateway

@Suite("A request for metrics", .timeLimit(.minutes(60)))
struct MetricsExchangeTests {
    private func answer(_ request: String) -> String? {
        var exchange = MetricsExchange()
        return exchange.take(Array(request.utf8)) { "page\n" }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func status(_ request: String) -> String? {
        answer(request).map { $0.prefix { $0 != "\r\n" }.split(separator: " ")[1] }.map(String.init)
    }

    @Test func `is answered with the page in the text format`() {
        #expect(
            answer("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: 5\r\n"
                + "Connection: close\r\n\r\npage\n")
    }

    @Test(
        arguments: [
            ("GET /metrics?collect=all HTTP/1.0\r\n\r\n", "200"), ("GET / HTTP/1.1\r\n\r\n", "404"),
            ("GET /metrics/ HTTP/1.1\r\n\r\n", "404"), ("POST /metrics HTTP/1.1\r\n\r\n", "405"),
            ("GET /metrics\r\n\r\n", "400"), ("GET /metrics HTTP/2.0\r\n\r\n", "400"), ("\r\n\r\n", "400"),
            ("\u{0}\u{1}\u{2}\r\n\r\n", "400"),
        ])
    func `has the status that its first line deserves`(request: String, wanted: String) {
        #expect(status(request) == wanted)
    }

    @Test func `is answered once its last byte is there`() {
        var exchange = MetricsExchange()
        let bytes = Array("GET /metrics HTTP/1.1\r\nA: b\r\n\r\n".utf8)
        for byte in bytes.dropLast() { #expect(exchange.take([byte]) { "" } == nil) }
        #expect(exchange.take(bytes.suffix(1)) { "" } != nil)
    }

    @Test func `is refused where it is too long, whether or not it ends`() {
        let line = "GET /metrics HTTP/1.1\r\nA: "
        let room = MetricsExchange.maximumHeadSize - line.utf8.count - 4
        #expect(status(line + String(repeating: "b", count: room) + "\r\n\r\n") == "200")
        #expect(status(line + String(repeating: "b", count: room + 5)) == "431")
        #expect(status(line + String(repeating: "b", count: room * 9) + "\r\n\r\n") == "431")
    }
}
#endif
