// SPDX-License-Identifier: MIT

import BlueCap

/// A number within the value of an emulated characteristic.
struct MovedValue: Sendable {
    let characteristic: MutableCharacteristic
    /// The name of the number among the parts of the value.
    let part: String

    /// - Parameter part: The name of the number, in capitals or not; nil for the first that can be written.
    /// - Returns: Nil where the value has no such number.
    init?(_ characteristic: MutableCharacteristic, part: String?) {
        self.characteristic = characteristic
        let texts = Self.texts(of: characteristic)
        let names = ProfilePart.parts(of: characteristic.profile).map(\.name).filter {
            texts[$0].flatMap(Double.init) != nil
        }
        // The number as it is sent is what is read from text, where the value has the quantity, too.
        let writable = names.filter { !names.contains($0 + "Raw") }
        if let part {
            guard
                let name = names.first(where: { CharacteristicSelector.fold($0) == CharacteristicSelector.fold(part) })
            else { return nil }
            self.part = name
        } else {
            guard let name = writable.first else { return nil }
            self.part = name
        }
    }

    /// The parts of the value; where there is none, those that a value cannot be without, each as 0 or its first choice.
    static func texts(of characteristic: MutableCharacteristic) -> [String: String] {
        if let texts = characteristic.stringValue { return texts }
        let parts = ProfilePart.parts(of: characteristic.profile).filter { !$0.isOptional }
        return Dictionary(parts.map { ($0.name, $0.choices.first ?? "0") }, uniquingKeysWith: { first, _ in first })
    }

    /// The number as it is now.
    var number: Double? { Self.texts(of: characteristic)[part].flatMap(Double.init) }

    /// The value with another number; nil where the number is beyond what can be sent.
    func bytes(for number: Double) -> Bytes? {
        guard number.isFinite, abs(number) < 1e15 else { return nil }
        var texts = Self.texts(of: characteristic)
        texts[part] = NumberPlot.text(number)
        if let bytes = characteristic.profile.bytes(fromString: texts) { return bytes }
        // Most numbers are whole.
        texts[part] = String(Int(number.rounded()))
        return characteristic.profile.bytes(fromString: texts)
    }
}
