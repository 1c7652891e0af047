// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapGateway

@Suite("The state of a device", .timeLimit(.minutes(60)))
struct StateJSONTests {
    private typealias Measurement = BlueCapGateway.Measurement

    private static func state(_ values: [(String, Measurement.Value)], rssi: Int? = nil) -> String {
        let subject = GatewayRule.Subject(
            identifier: "A4:C1:38:00:00:01", name: nil, services: [], isEncrypted: false)
        var device = DeviceValues(subject, nil, at: .zero)
        let heard = values.map { Measurement(key: $0, name: $0, kind: EntityKind(), value: $1) }
        _ = device.hear(
            heard, of: subject, by: nil, rssi: rssi, GatewayPlan(name: "cellar").pace, at: .zero, on: .now)
        return String(decoding: StateJSON(device).bytes, as: UTF8.self)
    }

    @Test func `has the values in the order of their keys`() {
        let values: [(String, Measurement.Value)] = [
            ("temperature", .number(21.5)), ("battery", .number(80)), ("motion", .state(true)), ("door", .state(false)),
        ]
        let text = #"{"battery":80,"door":"OFF","motion":"ON","rssi":-60,"temperature":21.5}"#
        #expect(Self.state(values, rssi: -60) == text)
        #expect(Self.state([]) == "{}")
    }

    @Test(arguments: [
        (0, "0"), (-0.01, "-0.01"), (0.1 + 0.2, "0.30000000000000004"), (1e300, "1e+300"),
        (.leastNonzeroMagnitude, "5e-324"),
        (-16_777_215, "-16777215"), (.nan, "null"), (.infinity, "null"),
    ])
    func `writes a number as the shortest that is read as the same, and none without an end`(
        number: Double, text: String
    ) {
        #expect(Self.state([("value", .number(number))]) == #"{"value":\#(text)}"#)
    }

    @Test(arguments: ["\"", "\\", "\u{0}\n\u{7F}", "/topic/+#", "°C µ", "\u{1F600}", ""])
    func `writes a text that is read as the same`(text: String) throws {
        let state = Self.state([("value", .text(text))])
        #expect(try JSONDecoder().decode([String: String].self, from: Data(state.utf8)) == ["value": text])
    }
}
#endif
