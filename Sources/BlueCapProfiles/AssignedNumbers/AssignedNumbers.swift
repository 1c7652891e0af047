// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The names of numbers that the Bluetooth SIG has assigned (Assigned Numbers, edition of June 2026), both ways.
///
/// ```swift
/// AssignedNumbers.serviceName("180D")                   // "Heart Rate"
/// AssignedNumbers.service(named: "heart rate")          // 180D
/// AssignedNumbers.companyName(0x004c)                   // "Apple, Inc."
/// ```
///
/// Names are the SIG's, and are found in capitals or not. The tables cost nothing until they are used.
public enum AssignedNumbers {
    /// The services, by their 16-bit UUIDs.
    public static var services: AssignedNumberTable { .services }
    /// The characteristics, by their 16-bit UUIDs.
    public static var characteristics: AssignedNumberTable { .characteristics }
    /// The descriptors, by their 16-bit UUIDs.
    public static var descriptors: AssignedNumberTable { .descriptors }
    /// The units that a Characteristic Presentation Format names, by their 16-bit UUIDs.
    public static var units: AssignedNumberTable { .units }
    /// The owners of 16-bit UUIDs: members of the SIG by their own names, standards bodies by their use of it.
    public static var members: AssignedNumberTable { .members }
    /// The companies, by the identifiers that start manufacturer data.
    public static var companies: AssignedNumberTable { .companies }
    /// The types of the parts of advertising data, one byte each.
    public static var advertisingDataTypes: AssignedNumberTable { .advertisingDataTypes }
    /// The appearances of devices: the category in the upper ten bits, the subcategory in the lower six, zero for none.
    public static var appearances: AssignedNumberTable { .appearances }
}

extension AssignedNumbers {
    /// Returns the name of a service, as "Battery"; nil when the SIG has none for the UUID.
    public static func serviceName(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(services.name) }

    /// Returns the name of a service, by its 16-bit UUID.
    public static func serviceName(_ number: UInt16) -> String? { services.name(of: number) }

    /// Returns the service with a name.
    public static func service(named name: String) -> BluetoothUUID? {
        services.number(named: name).map { BluetoothUUID($0) }
    }

    /// Returns the name of a characteristic, as "Battery Level"; nil when the SIG has none for the UUID.
    public static func characteristicName(_ uuid: BluetoothUUID) -> String? {
        uuid.uint16.flatMap(characteristics.name)
    }

    /// Returns the name of a characteristic, by its 16-bit UUID.
    public static func characteristicName(_ number: UInt16) -> String? { characteristics.name(of: number) }

    /// Returns the characteristic with a name.
    public static func characteristic(named name: String) -> BluetoothUUID? {
        characteristics.number(named: name).map { BluetoothUUID($0) }
    }

    /// Returns the name of a descriptor, as "Client Characteristic Configuration"; nil when the SIG has none for the
    /// UUID.
    public static func descriptorName(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(descriptors.name) }

    /// Returns the name of a descriptor, by its 16-bit UUID.
    public static func descriptorName(_ number: UInt16) -> String? { descriptors.name(of: number) }

    /// Returns the descriptor with a name.
    public static func descriptor(named name: String) -> BluetoothUUID? {
        descriptors.number(named: name).map { BluetoothUUID($0) }
    }

    /// Returns the name of a unit, as "Celsius temperature (degree Celsius)"; nil when the SIG has none for the UUID.
    public static func unitName(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(units.name) }

    /// Returns the unit with a name.
    public static func unit(named name: String) -> BluetoothUUID? {
        units.number(named: name).map { BluetoothUUID($0) }
    }

    /// Returns the owner of a 16-bit UUID, as "Google LLC" for FEAA; nil for UUIDs of other kinds.
    public static func memberName(_ uuid: BluetoothUUID) -> String? { uuid.uint16.flatMap(members.name) }
}

extension AssignedNumbers {
    /// Returns the name of a company, as "Apple, Inc." for 0x004C; nil when the identifier is not assigned.
    public static func companyName(_ identifier: UInt16) -> String? { companies.name(of: identifier) }

    /// Returns the identifier of a company; of several the lowest.
    public static func company(named name: String) -> UInt16? { companies.number(named: name) }

    /// Returns the name of a type of advertising data, as "Flags" for 0x01; nil when it is not assigned.
    public static func advertisingDataTypeName(_ type: UInt8) -> String? {
        advertisingDataTypes.name(of: UInt16(type))
    }

    /// Returns the type of advertising data with a name.
    public static func advertisingDataType(named name: String) -> UInt8? {
        advertisingDataTypes.number(named: name).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Returns the name of an appearance, as "Heart Rate Belt" for 0x0341; the category's name where there is no
    /// subcategory, nil where the subcategory is not assigned.
    public static func appearanceName(_ appearance: UInt16) -> String? { appearances.name(of: appearance) }

    /// Returns the name of the category of an appearance, as "Heart Rate Sensor" for 0x0341; nil when it is not
    /// assigned.
    public static func appearanceCategoryName(_ appearance: UInt16) -> String? {
        appearances.name(of: appearance & ~0x3f)
    }

    /// Returns the appearance with a name, a category or a subcategory; of several the lowest.
    public static func appearance(named name: String) -> UInt16? { appearances.number(named: name) }
}
