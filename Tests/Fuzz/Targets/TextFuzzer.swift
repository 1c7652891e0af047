// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe

/// Texts from outside: UUIDs, bytes in hexadecimal, identifiers, and names of assigned numbers.
struct TextFuzzer {
    func run(_ input: inout FuzzInput) {
        switch input.byte() % 5 {
        case 0: Self.uuid(input.restOfText())
        case 1: Self.hex(input.restOfText())
        case 2: Self.identifier(input.restOfText())
        case 3: Self.number(input.word())
        default: Self.name(&input)
        }
    }

    private static func uuid(_ text: String) {
        do throws(BluetoothUUIDError) {
            let uuid = try BluetoothUUID(text: text)
            expect((try? BluetoothUUID(text: uuid.description)) == uuid, "\(text) is lost in \(uuid)")
            expect(
                (try? BluetoothUUID(text: uuid.fullDescription)) == uuid, "\(text) is lost in \(uuid.fullDescription)")
            let digits =
                text.utf8.count == 6 || text.utf8.count == 10 ? Array(text.utf8.dropFirst(2)) : Array(text.utf8)
            let plain = digits.filter { $0 != UInt8(ascii: "-") }
            expect(plain.allSatisfy(isDigit), "'\(text)' is taken for \(uuid)")
            let padded = String(repeating: "0", count: max(0, 8 - plain.count)) + String(decoding: plain, as: UTF8.self)
            let full = uuid.fullDescription.filter { $0 != "-" }
            expect(full.hasPrefix(padded.lowercased()), "'\(text)' is taken for \(uuid)")
        } catch {
            expect(!error.description.isEmpty, "no word about '\(text)'")
        }
    }

    private static func isDigit(_ unit: UInt8) -> Bool { Unicode.Scalar(unit).properties.isASCIIHexDigit }

    private static func hex(_ text: String) {
        do throws(Bytes.HexError) {
            let bytes = try Bytes(hex: text)
            expect((try? Bytes(hex: bytes.hex)) == bytes, "\(text) is lost in \(bytes)")
            var digits = Array(text.utf8)
            if text.hasPrefix("0x") || text.hasPrefix("0X") { digits.removeFirst(2) }
            let plain = digits.filter { !" :-".utf8.contains($0) }
            expect(String(decoding: plain, as: UTF8.self).lowercased() == bytes.hex, "'\(text)' is taken for \(bytes)")
        } catch {
            expect(!error.description.isEmpty, "no word about '\(text)'")
        }
    }

    private static func identifier(_ text: String) {
        let identifier = PeerIdentifier(text)
        expect(PeerIdentifier(identifier.text) == identifier, "'\(text)' is another identifier from its own text")
    }

    private static var tables: [AssignedNumberTable] {
        [
            AssignedNumbers.services, AssignedNumbers.characteristics, AssignedNumbers.descriptors,
            AssignedNumbers.units,
            AssignedNumbers.members, AssignedNumbers.companies, AssignedNumbers.advertisingDataTypes,
            AssignedNumbers.appearances,
        ]
    }

    private static func number(_ number: UInt16) {
        for table in tables {
            guard let name = table.name(of: number) else { continue }
            guard let lowest = table.number(named: name) else { fail("\(number) is \(name), which is unknown") }
            expect(lowest <= number, "\(name) is \(lowest), not the lower \(number)")
        }
        _ = AssignedNumbers.appearanceCategoryName(number)
        _ = AssignedNumbers.serviceName(BluetoothUUID(number))
        _ = AssignedNumbers.unitName(BluetoothUUID(UInt32(number) << 16))
    }

    private static func name(_ input: inout FuzzInput) {
        let table = input.pick(tables)
        // A name that exists, changed, or any text.
        var name = input.byte() % 2 == 0 ? "" : table.name(of: input.word()) ?? ""
        name += input.restOfText()
        guard let number = table.number(named: name) else { return }
        expect(table.name(of: number)?.lowercased() == name.lowercased(), "'\(name)' is taken for \(number)")
    }
}
