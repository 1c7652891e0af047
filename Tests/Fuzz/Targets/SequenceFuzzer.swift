// SPDX-License-Identifier: MIT

import BlueCapDBus

/// Messages of one connection that differ in a few bytes: the reading of a message does not depend on earlier ones.
struct SequenceFuzzer {
    func run(_ input: inout FuzzInput) {
        #if BlueZ && os(Linux)
        let edits = (0..<input.byte() % 8).map { _ in (place: Int(input.word()), bits: input.byte()) }
        var bytes = input.byte() % 4 == 0 ? HeaderFuzzer.message(&input) : Self.change(&input)
        var (headers, changes) = (HeaderReader(), PropertiesChangedReader())
        for number in 0...edits.count {
            let after = Self.read(bytes, &headers, &changes)
            var (newHeaders, newChanges) = (HeaderReader(), PropertiesChangedReader())
            let alone = Self.read(bytes, &newHeaders, &newChanges)
            expect(after == alone, "\(bytes) is \(alone) alone, and \(after) after others")
            guard number < edits.count, !bytes.isEmpty else { return }
            bytes[edits[number].place % bytes.count] ^= edits[number].bits
        }
        #endif
    }

    #if BlueZ && os(Linux)
    /// The content of a message, or the error that refuses it.
    private static func read(
        _ bytes: [UInt8], _ headers: inout HeaderReader, _ changes: inout PropertiesChangedReader
    ) -> String {
        do throws(DBusError) {
            let frame = try headers.frame(of: bytes)
            defer { changes.letGo() }
            guard let change = try changes.read(frame) else { return "\(frame.header)" }
            return "\(frame.header), \(description(change))"
        } catch {
            return "\(error)"
        }
    }

    private static func description(_ change: PropertiesChanged) -> String {
        var parts = [String(decoding: change.path, as: UTF8.self), String(decoding: change.interface, as: UTF8.self)]
        var next = change.next()
        while let property = next {
            let value = change.value(of: property)
            if change.fingerprint != nil {
                expect(parts.count == 2, "more than one property of a fingerprint")
                expect(change.firstBytes == change.bytes(of: property), "other bytes of a fingerprint")
            }
            parts.append("\(Array(change.name(of: property))) \(value.map { "\($0)" } ?? "none")")
            parts.append("\(change.bytes(of: property).map { Array($0) } ?? []) \(change.int16(of: property) ?? 0)")
            next = change.next(after: property)
        }
        return (parts + change.invalidated).joined(separator: ", ")
    }

    /// A change of up to three properties, as bluetoothd signals them.
    private static func change(_ input: inout FuzzInput) -> [UInt8] {
        let path = input.byte() % 2 == 0 ? "/a/b" : "/a/c"
        let gone = input.byte() % 4 == 0 ? ["Gone"] : []
        var set: [String: DBusValue] = [:]
        for _ in 0...input.byte() % 3 {
            switch input.byte() % 6 {
            case 0: set["RSSI"] = .int16(Int16(bitPattern: input.word()))
            case 1: set["Flag"] = .bool(input.byte() % 2 == 1)
            case 2: set["Big"] = .uint64(UInt64(input.word()))
            case 3: set["Name"] = .string("a")
            default: set["Value"] = .bytes(input.counted())
            }
        }
        let signal = try? Message.signal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            body: [.string("a.B"), .properties(set), .strings(gone)])
        guard var bytes = signal?.frame.bytes else { return [] }
        // Its serial, which a message gets when it is sent.
        bytes[8] = 1
        return bytes
    }
    #endif
}
