// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

/// Devices of services in a world's file that answer writes.
@Suite(.timeLimit(.minutes(60)))
struct WorldAnswerTests {
    /// Runs `body` in the world of one device.
    private func with(
        _ device: String, _ body: @escaping @Sendable (VirtualRadio, CentralManager) async throws -> Void
    ) async throws {
        try await inWorld(#"{"world": 1, "devices": [{\#(device)}]}"#, body)
    }

    @Test func `a write that a rule names is answered with values after its time, and another one is not`()
        async throws
    {
        let device = """
            "services": ["Heart Rate", "Battery"], "values": {"battery level": "80"},
            "answers": [{"write": "heart rate control point=01", "values": ["battery level=50", "2A37=72"], "after": 2}]
            """
        try await with(device) { radio, central in
            let strap = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover()
            let (control, level) = (try strap.characteristic("2A39"), try strap.characteristic("2A19"))
            var beats = try await strap.characteristic("2A37").notifications().makeAsyncIterator()
            // The profile refuses it, and no rule is of it.
            _ = try? await control.write([9])
            try await radio.clock.sleep(for: .seconds(5))
            #expect(try await level.read() == [80])
            let start = radio.clock.elapsed
            try await control.write([1])
            let beat = try await beats.next()
            #expect(beat?.dropFirst().first == 72, "\(beat?.hex ?? "-")")
            #expect((.seconds(2)..<Duration.milliseconds(2500)).contains(radio.clock.elapsed - start))
            #expect(try await level.read() == [50])
        }
    }

    private static let twin = #"{"schema": "bluecap-twin", "version": 1}"#

    @Test(arguments: [
        (#""twin": \#(twin), "answers": []"#, "devices[0].answers: only a device of 'services'"),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A39", "values": []}]"#,
            "devices[0].answers[0].write: '2A39' is no NAME=VALUE"
        ),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A38=01", "values": []}]"#,
            "devices[0].answers[0].write: Body Sensor Location cannot be written"
        ),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A39=01", "values": ["2A19=7"]}]"#,
            "devices[0].answers[0].values[0]: there is no characteristic '2A19'"
        ),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A39=01", "values": [], "after": -1}]"#,
            "devices[0].answers[0].after: times are seconds"
        ),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A39=01", "values": []}, {"write": "2A39=01", "values": []}]"#,
            "devices[0].answers[1].write: another rule is of the same write"
        ),
        (
            #""services": ["Heart Rate"], "answers": [{"write": "2A39=01"}]"#,
            "devices[0].answers[0]: 'values' is missing"
        ),
        (
            #""services": ["Heart Rate"], "answers": ["2A39=01"]"#,
            #"devices[0].answers[0]: this is an object in braces: write { "write": "2A39=01", "values""#
        ),
    ])
    func `a rule that cannot be is refused with 64 and its place`(device: String, problem: String) async {
        let error = await #expect(throws: CommandFailure.self) { try await with(device) { _, _ in } }
        #expect(error?.status == .usage && error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }
}
