// SPDX-License-Identifier: MIT

#if Gateway
/// A request by HTTP/1.x, and its answer: the page under `/metrics`, or the reason why there is none.
///
/// A connection has one request. Its body, if there is one, is not read.
struct MetricsExchange {
    /// The longest request line with its headers, in bytes.
    static let maximumHeadSize = 8192
    private static let end = [UInt8]("\r\n\r\n".utf8)

    private var head: [UInt8] = []

    /// Takes the next bytes of a request.
    ///
    /// - Parameters:
    ///   - bytes: All that came since the last call.
    ///   - page: Makes the page, in the text format of Prometheus.
    /// - Returns: The answer, with which the connection ends; nil while the request goes on.
    mutating func take(_ bytes: some Collection<UInt8>, page: () -> String) -> [UInt8]? {
        // The end may have begun in the bytes of before.
        let seen = max(head.count - Self.end.count + 1, 0)
        head += bytes.prefix(Self.maximumHeadSize + 1 - head.count)
        if let end = head[seen...].firstRange(of: Self.end) { return Self.answer(head[..<end.lowerBound], page) }
        if head.count <= Self.maximumHeadSize { return nil }
        return Self.refusal("431 Request Header Fields Too Large")
    }

    private static func answer(_ head: ArraySlice<UInt8>, _ page: () -> String) -> [UInt8] {
        let line = head.prefix { $0 != UInt8(ascii: "\r") }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8) else { return refusal("400 Bad Request") }
        guard words[0].elementsEqual("GET".utf8) else {
            return refusal("405 Method Not Allowed", headers: ["Allow: GET"])
        }
        guard words[1].prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual("/metrics".utf8) else {
            return refusal("404 Not Found", text: "The metrics are under /metrics.\n")
        }
        return response("200 OK", type: "text/plain; version=0.0.4; charset=utf-8", text: page())
    }

    private static func refusal(_ status: String, headers: [String] = [], text: String? = nil) -> [UInt8] {
        response(status, type: "text/plain; charset=utf-8", headers: headers, text: text ?? "\(status)\n")
    }

    private static func response(_ status: String, type: String, headers: [String] = [], text: String) -> [UInt8] {
        let own = ["Content-Type: \(type)", "Content-Length: \(text.utf8.count)", "Connection: close"]
        return Array("HTTP/1.1 \((["\(status)"] + own + headers).joined(separator: "\r\n"))\r\n\r\n\(text)".utf8)
    }
}
#endif
