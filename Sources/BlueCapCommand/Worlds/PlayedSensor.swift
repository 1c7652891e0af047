// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// A sensor of a world's file that plays: each step of its values is a frame with the next counter.
struct PlayedSensor: Sendable {
    private struct Move: Sendable {
        let name: String
        let generator: ValueGenerator
        var number: Double
        var step = 0
        var due = Duration.zero

        init(_ name: String, _ generator: ValueGenerator) {
            (self.name, self.generator) = (name, generator)
            number = generator.number(0, after: nil, seed: 0)
        }

        mutating func go(seed: UInt64) {
            step += 1
            due += generator.period
            number = generator.number(step, after: number, seed: seed)
        }
    }

    let sensor: WorldSensor
    private let device: (name: String?, address: String?)
    private let counter: UInt64
    /// The address that its frames have or are encrypted with.
    var address: String? { device.address }
    /// The frame of the beginning.
    let first: SensorFrame

    /// - Parameter counter: The number of the first frame. Receivers refuse an encrypted frame with one of before.
    init(_ sensor: WorldSensor, name: String?, address: String?, counter: UInt64 = 0) throws(SensorFrameError) {
        (self.sensor, device, self.counter) = (sensor, (name, address), counter)
        first = try sensor.frame(sensor.firstValues, counter: counter, of: device)
    }

    /// Moves the values until the task is cancelled.
    ///
    /// - Parameter send: Sends a frame in the place of the one before.
    func run(
        on clock: BlueCapClock, seed: UInt64, _ send: @Sendable (SensorFrame) async throws -> Void
    ) async throws {
        var moves = sensor.moves.sorted { $0.key < $1.key }.map { Move($0.key, $0.value) }
        guard !moves.isEmpty else { return }
        for index in moves.indices { moves[index].due = moves[index].generator.period }
        var (values, counter) = (sensor.firstValues, counter)
        let start = clock.elapsed
        while let due = moves.map(\.due).min() {
            try await clock.sleep(for: max(start + due - clock.elapsed, .zero))
            for index in moves.indices where moves[index].due <= due {
                moves[index].go(seed: seed)
                values[moves[index].name] = .number(moves[index].number)
            }
            counter += 1
            if let frame = try? sensor.frame(values, counter: counter, of: device) { try await send(frame) }
        }
    }
}
