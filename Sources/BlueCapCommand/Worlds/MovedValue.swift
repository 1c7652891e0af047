// SPDX-License-Identifier: MIT

import BlueCap

/// A number within the value of an emulated characteristic.
struct MovedValue: Sendable {
    let characteristic: MutableCharacteristic
    private let place: NumberInValue

    /// - Parameter part: The name of the number, in capitals or not; nil for the first that can be written.
    /// - Returns: Nil where the value has no such number.
    init?(_ characteristic: MutableCharacteristic, part: String?) {
        guard let place = NumberInValue(characteristic.offeredProfile, value: characteristic.value, part: part) else {
            return nil
        }
        (self.characteristic, self.place) = (characteristic, place)
    }

    /// The name of the number among the parts of the value.
    var part: String { place.part }

    /// The number as it is now.
    var number: Double? { place.number(in: characteristic.value) }

    /// The numbers that it can be, for people; nil where they are not known.
    var numbers: String? { TypedValue.numbers(of: part, place.profile, characteristic.value) }

    /// The value with another number; nil where the number is out of range.
    func bytes(for number: Double) -> Bytes? { place.bytes(for: number, in: characteristic.value) }
}
