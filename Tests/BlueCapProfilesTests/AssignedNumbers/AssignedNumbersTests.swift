// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("Assigned numbers", .timeLimit(.minutes(60)))
struct AssignedNumbersTests {
    enum Kind: CaseIterable {
        case services, characteristics, descriptors, units, members, companies, advertisingDataTypes, appearances

        var table: AssignedNumberTable {
            switch self {
            case .services: AssignedNumbers.services
            case .characteristics: AssignedNumbers.characteristics
            case .descriptors: AssignedNumbers.descriptors
            case .units: AssignedNumbers.units
            case .members: AssignedNumbers.members
            case .companies: AssignedNumbers.companies
            case .advertisingDataTypes: AssignedNumbers.advertisingDataTypes
            case .appearances: AssignedNumbers.appearances
            }
        }
    }

    @Test func `services are found by UUID, by number and by name`() {
        #expect(AssignedNumbers.serviceName(0x180d) == "Heart Rate")
        #expect(AssignedNumbers.serviceName("180F") == "Battery")
        #expect(AssignedNumbers.service(named: "Heart Rate") == BluetoothUUID(UInt16(0x180d)))
        #expect(AssignedNumbers.service(named: "dEVICE information") == "180A")
    }

    @Test func `characteristics are found by UUID, by number and by name`() {
        #expect(AssignedNumbers.characteristicName(0x2a37) == "Heart Rate Measurement")
        #expect(AssignedNumbers.characteristicName("00002A19-0000-1000-8000-00805F9B34FB") == "Battery Level")
        #expect(AssignedNumbers.characteristic(named: "battery level") == "2A19")
    }

    @Test func `descriptors are found by UUID, by number and by name`() {
        #expect(AssignedNumbers.descriptorName(0x2902) == "Client Characteristic Configuration")
        #expect(AssignedNumbers.descriptorName("2904") == "Characteristic Presentation Format")
        #expect(AssignedNumbers.descriptor(named: "Characteristic User Description") == "2901")
    }

    @Test func `units and who was allotted a UUID are found`() {
        #expect(AssignedNumbers.unitName("272F") == "Celsius temperature (degree Celsius)")
        #expect(AssignedNumbers.unit(named: "Celsius temperature (degree Celsius)") == "272F")
        #expect(AssignedNumbers.memberName("FEAA") == "Google LLC")
        #expect(AssignedNumbers.memberName("FFF6") == "Matter Profile ID")
    }

    @Test func `companies are found by identifier and by name, the first and the last too`() {
        #expect(AssignedNumbers.companyName(0x004c) == "Apple, Inc.")
        #expect(AssignedNumbers.companyName(0x0059) == "Nordic Semiconductor ASA")
        #expect(AssignedNumbers.companyName(0x0000) == "Ericsson AB")
        #expect(AssignedNumbers.companyName(0x10ae) == "Raycon Inc.")
        #expect(AssignedNumbers.company(named: "apple, inc.") == 0x004c)
        #expect(AssignedNumbers.company(named: "Texas Instruments Inc.") == 0x000d)
    }

    @Test func `types of advertising data are found both ways`() {
        #expect(AssignedNumbers.advertisingDataTypeName(0x01) == "Flags")
        #expect(AssignedNumbers.advertisingDataTypeName(0x09) == "Complete Local Name")
        #expect(AssignedNumbers.advertisingDataTypeName(0xff) == "Manufacturer Specific Data")
        #expect(AssignedNumbers.advertisingDataTypeName(0x10) == "Device ID")
        #expect(AssignedNumbers.advertisingDataType(named: "tx power level") == 0x0a)
    }

    @Test func `an appearance is a category and a subcategory`() {
        #expect(AssignedNumbers.appearanceName(0x0340) == "Heart Rate Sensor")
        #expect(AssignedNumbers.appearanceName(0x0341) == "Heart Rate Belt")
        #expect(AssignedNumbers.appearanceCategoryName(0x0341) == "Heart Rate Sensor")
        #expect(AssignedNumbers.appearanceName(0x037f) == nil)
        #expect(AssignedNumbers.appearanceCategoryName(0x037f) == "Heart Rate Sensor")
        #expect(AssignedNumbers.appearanceCategoryName(0xffff) == nil)
        #expect(AssignedNumbers.appearance(named: "heart rate belt") == 0x0341)
    }

    @Test func `of several numbers with one name the lowest is found`() {
        let numbers = AssignedNumbers.members.filter { $0.name == "Google LLC" }.map(\.number)
        #expect(numbers.count > 1)
        #expect(AssignedNumbers.members.number(named: "Google LLC") == numbers.min())
    }

    @Test func `names keep what is not ASCII`() {
        #expect(AssignedNumbers.companies.contains { $0.name == "Société des Produits Nestlé S.A." })
        #expect(AssignedNumbers.characteristic(named: "CO₂ Concentration") != nil)
    }

    @Test(arguments: Kind.allCases)
    func `what is not assigned has no name and no number`(kind: Kind) {
        #expect(
            ["", "Battery Levels", "\u{0}", "zzzz", "^", "^1801"].allSatisfy { kind.table.number(named: $0) == nil })
        #expect(AssignedNumbers.serviceName("F000AA10-0451-4000-B000-000000000000") == nil)
        #expect(AssignedNumbers.companyName(0xffff) == nil)
    }

    // The way back is tried for every seventh name of the companies, which are many.
    @Test(arguments: Kind.allCases)
    func `every number has one name, and the name leads back to the lowest number that has it`(kind: Kind) {
        var lowest: [String: UInt16] = [:]
        var last = -1
        var count = 0
        for (number, name) in kind.table {
            guard Int(number) > last, !name.isEmpty, kind.table.name(of: number) == name else {
                Issue.record("\(number) \(name)")
                return
            }
            last = Int(number)
            count += 1
            let key = name.lowercasedASCII
            if lowest[key] == nil { lowest[key] = number }
            guard !count.isMultiple(of: kind == .companies ? 7 : 1) || kind.table.number(named: name) == lowest[key]
            else {
                Issue.record("\(name) is not found")
                return
            }
        }
        #expect(count == kind.table.count)
        #expect(count >= 20)
    }

    @Test(arguments: Kind.allCases)
    func `the numbers in a table have names, their neighbours and others do not`(kind: Kind) {
        let numbers = Set(kind.table.map(\.number))
        var random = SeededRandom(seed: 3)
        var probes = Set((0..<2000).map { _ in UInt16.random(in: 0...UInt16.max, using: &random) })
        for number in numbers { probes.formUnion([number &- 1, number, number &+ 1]) }
        let wrong = probes.filter { numbers.contains($0) != (kind.table.name(of: $0) != nil) }
        #expect(wrong.isEmpty)
    }

    @Test func `the tables hold the edition they name: companies through 0x10AE`() {
        let companies = Array(AssignedNumbers.companies)
        #expect(companies.last?.number == 0x10ae)
        #expect(companies.count == 4008)
        #expect(AssignedNumbers.services.count == 75)
    }
}

extension String {
    fileprivate var lowercasedASCII: String {
        String(decoding: utf8.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
