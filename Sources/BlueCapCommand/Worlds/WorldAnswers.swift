// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The rules by which a device of services in a world's file answers writes.
struct WorldAnswers: Sendable {
    private struct Write: Hashable {
        var characteristic: BluetoothUUID
        var value: Bytes
    }

    private struct Rule: Sendable {
        var after: Duration
        var values: [(characteristic: VirtualCharacteristic, bytes: Bytes)]
    }

    private var rules: [Write: Rule] = [:]

    var isEmpty: Bool { rules.isEmpty }

    /// - Parameters:
    ///   - answers: The rules of the file.
    ///   - model: The device's services, by which names and values are read.
    ///   - made: The device's characteristics.
    /// - Throws: The mistake, and the rule that has it.
    init(
        _ answers: [WorldDevice.Answer], _ model: EmulatedServices,
        _ made: [MutableCharacteristic: VirtualCharacteristic]
    ) throws(WorldFault) {
        for (index, answer) in answers.enumerated() {
            let path = "answers[\(index)]"
            let (written, bytes) = try Self.read(answer.write, model, path + ".write")
            if !written.propertyEnabled(.write), !written.propertyEnabled(.writeWithoutResponse) {
                throw WorldFault(path: path + ".write", message: "\(written.offeredName) cannot be written")
            }
            if model.characteristics.count(where: { $0.uuid == written.uuid }) > 1 {
                throw WorldFault(path: path + ".write", message: "several services have \(written.offeredName)")
            }
            var rule = Rule(after: Duration(nearest: answer.after), values: [])
            for (number, text) in answer.values.enumerated() {
                let (target, value) = try Self.read(text, model, path + ".values[\(number)]")
                if let characteristic = made[target] { rule.values.append((characteristic, value)) }
            }
            if rules.updateValue(rule, forKey: Write(characteristic: written.uuid, value: bytes)) != nil {
                throw WorldFault(path: path + ".write", message: "another rule is of the same write")
            }
        }
    }

    private static func read(
        _ text: String, _ model: EmulatedServices, _ path: String
    ) throws(WorldFault) -> (MutableCharacteristic, Bytes) {
        guard let set = SetArgument(argument: text) else {
            throw WorldFault(path: path, message: "'\(text)' is no NAME=VALUE, as battery level=50")
        }
        return try WorldFault.at(path) { () throws(CommandFailure) in
            let characteristic = try model.characteristic(set.name)
            return (characteristic, try set.bytes(for: characteristic))
        }
    }

    /// The number of answers that wait for their time; a write for which there is no room is not answered.
    private static let maximumWaiting = 1024

    /// Answers each write after its time, until the task is cancelled.
    func run(_ events: AsyncStream<VirtualPeripheralEvent>, on clock: BlueCapClock) async {
        let waiting = Locked(0)
        for await event in events {
            guard case .written(let uuid, let write) = event,
                let rule = rules[Write(characteristic: uuid, value: write.value)],
                waiting.withLock({ $0 < Self.maximumWaiting })
            else { continue }
            waiting.withLock { $0 += 1 }
            _ = clock.schedule(after: rule.after) {
                for (characteristic, bytes) in rule.values { characteristic.update(bytes) }
                waiting.withLock { $0 -= 1 }
            }
        }
    }
}
