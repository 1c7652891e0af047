// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The place where a sensor for running or cycling is worn or mounted: one byte (GATT Specification Supplement, Sensor
/// Location).
///
/// Numbers without a name yet are kept.
public struct SensorLocation: AssignedNumber, RawDeserializable, CharacteristicConfigurable, StringDeserializable {
    public static let uuid: BluetoothUUID = "2A5D"
    public static let name = "Sensor Location"
    public static let properties: CharacteristicProperties = [.read]
    public static let permissions: AttributePermissions = [.readable]
    public static let initialValue: Bytes? = [0]

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A location that has no number of its own.
    public static let other = Self(rawValue: 0)
    /// On top of the shoe.
    public static let topOfShoe = Self(rawValue: 1)
    /// Inside the shoe.
    public static let inShoe = Self(rawValue: 2)
    /// On the hip.
    public static let hip = Self(rawValue: 3)
    /// On the front wheel.
    public static let frontWheel = Self(rawValue: 4)
    /// On the left crank.
    public static let leftCrank = Self(rawValue: 5)
    /// On the right crank.
    public static let rightCrank = Self(rawValue: 6)
    /// On the left pedal.
    public static let leftPedal = Self(rawValue: 7)
    /// On the right pedal.
    public static let rightPedal = Self(rawValue: 8)
    /// Inside the front hub.
    public static let frontHub = Self(rawValue: 9)
    /// At the rear dropout.
    public static let rearDropout = Self(rawValue: 10)
    /// On the chainstay.
    public static let chainstay = Self(rawValue: 11)
    /// On the rear wheel.
    public static let rearWheel = Self(rawValue: 12)
    /// Inside the rear hub.
    public static let rearHub = Self(rawValue: 13)
    /// On the chest.
    public static let chest = Self(rawValue: 14)
    /// In the spider of the crankset.
    public static let spider = Self(rawValue: 15)
    /// On the chain ring.
    public static let chainRing = Self(rawValue: 16)

    public static let assigned: [(Self, String)] = [
        (.other, "Other"), (.topOfShoe, "Top of Shoe"), (.inShoe, "In Shoe"), (.hip, "Hip"),
        (.frontWheel, "Front Wheel"), (.leftCrank, "Left Crank"), (.rightCrank, "Right Crank"),
        (.leftPedal, "Left Pedal"), (.rightPedal, "Right Pedal"), (.frontHub, "Front Hub"),
        (.rearDropout, "Rear Dropout"), (.chainstay, "Chainstay"), (.rearWheel, "Rear Wheel"), (.rearHub, "Rear Hub"),
        (.chest, "Chest"), (.spider, "Spider"), (.chainRing, "Chain Ring"),
    ]
}
