// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The compiler's messages about wrong programs.
@Suite("Compiler messages", .timeLimit(.minutes(60)))
struct CompilerMessageTests {
    /// The modules of this build, which stand beside the program of the tests.
    private static let modules: URL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("Modules")

    /// The errors of some lines of a program that imports a module, each without its place.
    private func errors(in lines: String, importing module: String = "BlueCapSerDe") throws -> [String] {
        try messages(in: lines, importing: [module]).filter { $0.kind == "error" }.map(\.text)
    }

    private struct Message: Equatable {
        /// Of the compiled lines, from 0.
        let line: Int
        let kind, text: String
    }

    /// The errors and warnings of some lines of a program that imports some modules.
    private func messages(in lines: String, importing modules: [String]) throws -> [Message] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        let imports = modules.map { "import \($0)" }.joined(separator: ";")
        try "\(imports)\n\(lines)\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", Self.modules.path,
            "-Xcc", "-fmodule-map-file=\(Self.modules.path)/../CBlueCapLinux.build/module.modulemap", file.path,
        ]
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return text.split(separator: "\n").compactMap { line in
            for kind in ["error", "warning"] {
                let parts = line.components(separatedBy: ": \(kind): ")
                guard parts.count == 2, let row = parts[0].split(separator: ":").dropFirst().first.flatMap({ Int($0) })
                else { continue }
                return Message(line: row - 2, kind: kind, text: parts[1])
            }
            return nil
        }
    }

    @Test func `an array whose elements have no fixed size is said to need that, and no more`() throws {
        let message = "is unavailable: the elements of an array must conform to FixedSizeCodable"
        let found = try errors(
            in: """
                enum Loose: UInt8, RawDeserializable { case a = 1; static let uuid: BluetoothUUID = "2A19" }
                func read(_ bytes: Bytes, _ array: [UInt8], _ reader: inout ByteReader) throws -> [[Loose]] {
                    [
                        try SerDe.deserialize(bytes), try SerDe.deserialize(array, as: [Loose].self),
                        try SerDe.deserialize(bytes.withBytes { _ in [1, 2] }), try reader.read(),
                    ]
                }
                func write(_ values: [Loose]) -> Bytes { SerDe.serialize(values) }
                """)
        #expect(found.count == 5)
        for error in found { #expect(error.hasSuffix(message)) }
    }

    @Test(arguments: [
        "manager.startScanning(forServiceUUIDs: [], capacity: 10, timeout: 10.0)",
        "manager.startScanning(capacity: 10)",
        "manager.stopScanning()", "peripheral.connect(connectionTimeout: 10.0, capacity: 10)",
        "peripheral.connect(connectionTimeout: 10.0)", "peripheral.discoverAllServices(timeout: 10.0)",
        "peripheral.startPollingRSSI(period: 1.0, capacity: 10)", "peripheral.startPollingRSSI()",
        "service.discoverAllCharacteristics()", "characteristic.write(data: [1], timeout: 10.0)",
        "characteristic.receiveNotificationUpdates(capacity: 10)",
    ])
    func `a call of the first BlueCap is said to be unavailable, with what there is instead`(call: String) throws {
        let found = try errors(
            in: """
                func use(
                    _ manager: CentralManager, _ peripheral: Peripheral, _ service: Service,
                    _ characteristic: Characteristic
                ) {
                    \(call)
                }
                """, importing: "BlueCapCore")
        #expect(found.count == 1)
        #expect(found.first.map { $0.contains("has been renamed to") || $0.contains("is unavailable: ") } == true)
    }

    @Test(arguments: [
        ("BluetoothUUID(text)", "init(text:)"), ("BluetoothUUID(text.dropFirst())", "init(text:)"),
        ("BluetoothUUID(\"\\(number)\")", "init(text:)"), ("UInt24(number)", "init(exactly:)"),
        ("Int48(Int64(number))", "init(exactly:)"),
    ])
    func `a value from outside in place of a literal is said to be unavailable, with the call that refuses it`(
        call: String, instead: String
    ) throws {
        let found = try errors(in: "func use(_ text: String, _ number: Int) { _ = \(call) }")
        #expect(found.count == 1)
        #expect(found.first.map { $0.contains("is unavailable: ") && $0.contains(instead) } == true, "\(found)")
    }

    @Test func `literals and texts that are read are compiled`() throws {
        let found = try errors(
            in: """
                func use(_ text: String, _ number: Int) throws {
                    let uuids = [BluetoothUUID("180D"), "180F", try BluetoothUUID(text: text)]
                    let numbers = [UInt24(7), 8, UInt24(text), UInt24(exactly: number), UInt24(clamping: number)]
                    let signed = [Int24(-7), -8, Int24(truncatingIfNeeded: number)]
                    print(uuids, numbers, signed, ["180D"].compactMap { try? BluetoothUUID(text: $0) })
                }
                """)
        #expect(found == [])
    }

    @Test func `an array whose elements have a fixed size is compiled, literals included`() throws {
        let found = try errors(
            in: """
                enum Step: UInt8, RawDeserializable, FixedSizeCodable {
                    case a = 1
                    static let uuid: BluetoothUUID = "2A19"
                }
                func read(_ bytes: Bytes, _ reader: inout ByteReader) throws -> [[Step]] {
                    [try SerDe.deserialize(bytes), try SerDe.deserialize([1, 1]), try reader.read()]
                }
                func write(_ values: [Step]) -> [Bytes] { [SerDe.serialize(values), SerDe.serialize([1, 2, 255])] }
                """)
        #expect(found == [])
    }

    /// The parameters of the functions around the lines below.
    private static let givens = """
        func use(
            _ c: Characteristic, _ d: Descriptor, _ m: MutableCharacteristic, _ v: VirtualCharacteristic, _ q: AttributeReadRequest,
            _ central: Central, _ yes: Bool, _ text: String, _ number: Int, _ fraction: Double, _ byte: UInt8, _ data: Data,
            _ t: TypedCharacteristic<UInt8>, _ p: Peripheral, _ s: Service, _ manager: CentralManager,
            _ offering: PeripheralManager, _ w: WriteRequest
        ) async throws {
        """
    private static let everything = ["BlueCapCore", "BlueCapProfiles", "BlueCapSerDe", "BlueCapVirtual", "Foundation"]

    @Test func `a literal without a width is said to need one, wherever a value is given`() throws {
        let wrong = """
            try await c.write(5); try await c.write(-5); try await c.write(5.5); try await c.write(5, kind: .withoutResponse)
            try await c.write(true); try await c.write([true]); try await c.write([1.0, 2]); try await c.write([-0.5])
            try await c.write(yes ? 1 : 0); try await d.write(5); try m.update(5); try m.update(5.0, for: central)
            q.respond(5); q.respond(0.5); v.setValue(5); v.update(5); v.notify(5); await v.indicate(5)
            _ = (SerDe.serialize(5), SerDe.serialize(-5), SerDe.serialize(5.0), SerDe.serialize(true), SerDe.serialize([0.5]))
            _ = (SerDe.serialize(5, as: Data.self), SerDe.serialize([1, 2], as: Data.self), SerDe.serialize(5, as: Bytes.self))
            _ = (SerDe.serialize(5, as: [UInt8].self), SerDe.serialize(5, 6), SerDe.serialize(5, byte), SerDe.serialize(byte, 5))
            _ = (SerDe.serialize(5, byte, byte), SerDe.serialize(byte, 5, byte), SerDe.serialize(byte, byte, 5))
            _ = EnvironmentalSensingService.TriggerSetting.compare(.lessThan, 5)
            _ = (SerDe.serialize(byte, byte, byte, 5), SerDe.serialize(byte, byte, 5, byte), SerDe.serialize(byte, byte, byte, byte, 5))
            _ = (SerDe.serialize(byte, byte, byte, 5, byte), SerDe.serialize(byte, byte, byte, byte, byte, 5))
            _ = (TypedMutableCharacteristic(uuid: "2A19", value: 5), TypedMutableCharacteristic(uuid: "2A19", properties: .read, value: 0.5))
            _ = TypedMutableCharacteristic(uuid: "2A19", value: true)
            """
        let counts = [4, 4, 4, 6, 5, 3, 4, 3, 1, 3, 2, 2, 1]
        let found = try messages(in: "\(Self.givens)\n\(wrong)\n}", importing: Self.everything)
        let first = Self.givens.split(separator: "\n").count
        for (index, count) in counts.enumerated() {
            let here = found.filter { $0.line == first + index }
            #expect(here.count == count, "line \(index): \(here)")
        }
        #expect(found.count == counts.reduce(0, +))
        for message in found { #expect(message.text.contains("say how wide the literal is"), "\(message)") }
    }

    @Test(arguments: ["5, 6, byte", "1, 2, 3", "byte, 5, 6"])
    func `several literals without a width in one call are not compiled`(values: String) throws {
        let found = try messages(
            in: "\(Self.givens)\n_ = SerDe.serialize(\(values))\n}", importing: Self.everything)
        #expect(found.map(\.text) == ["ambiguous use of 'serialize'"])
    }

    @Test(arguments: ["c.write(number)", "c.write(number + 1)", "c.write(1 << 3)", "d.write(number)"])
    func `an Int is said to be unavailable as a value`(call: String) throws {
        let found = try messages(in: "\(Self.givens)\ntry await \(call)\n}", importing: Self.everything)
        #expect(found.contains { $0.kind == "error" && $0.text.contains("say how wide the integer is") }, "\(found)")
    }

    /// Calls of CoreBluetooth, each with the call that takes its place.
    static let calls = [
        ("manager.scanForPeripherals(withServices: nil, options: nil)", "scan(for:options:timeout:capacity:)"),
        ("manager.scanForPeripherals(withServices: [\"180D\"])", "scan(for:options:timeout:capacity:)"),
        ("manager.stopScan()", "leave the loop over scan"),
        ("manager.connect(p, options: nil)", "peripheral.connect(timeout:)"),
        ("manager.connect(p)", "peripheral.connect(timeout:)"),
        ("manager.cancelPeripheralConnection(p)", "peripheral.disconnect(timeout:)"),
        ("p.discoverCharacteristics(nil, for: s)", "service.discoverCharacteristics(_:timeout:)"),
        ("p.discoverIncludedServices(nil, for: s)", "service.discoverIncludedServices(_:timeout:)"),
        ("p.discoverDescriptors(for: c)", "characteristic.discoverDescriptors(timeout:)"),
        ("p.readValue(for: c)", "characteristic.read(timeout:)"), ("p.readValue(for: d)", "descriptor.read(timeout:)"),
        ("p.writeValue(data, for: c, type: .withResponse)", "characteristic.write(_:kind:timeout:)"),
        ("p.writeValue(Bytes(data), for: d)", "descriptor.write(_:timeout:)"),
        ("p.setNotifyValue(true, for: c)", "characteristic.notifications()"),
        ("_ = p.maximumWriteValueLength(for: .withoutResponse)", "maximumWriteLength(for:)"),
        ("if p.canSendWriteWithoutResponse {}", "returns when the next value can go"),
        ("c.readValue()", "read(timeout:)"), ("c.writeValue(data)", "write(_:kind:timeout:)"),
        ("c.setNotifyValue(true)", "notifications()"),
        ("offering.startAdvertising([\"name\": \"Strap\"])", "startAdvertising(_:serviceUUIDs:timeout:)"),
        ("_ = offering.updateValue(data, for: m, onSubscribedCentrals: nil)", "characteristic.update(_:)"),
        ("offering.respond(to: w, withResult: .success)", "request.accept()"),
        ("offering.respond(to: q, withResult: .success)", "request.respond(_:)"),
    ]

    @Test func `each call of CoreBluetooth is said to be unavailable, with what there is instead`() throws {
        let lines = Self.calls.map(\.0).joined(separator: "\n")
        let found = try messages(in: "\(Self.givens)\n\(lines)\n}", importing: Self.everything)
        let first = Self.givens.split(separator: "\n").count
        for (index, (call, instead)) in Self.calls.enumerated() {
            let here = found.filter { $0.line == first + index && $0.kind == "error" }
            let isTold = here.contains { error in
                error.text.contains(instead)
                    && (error.text.contains("is unavailable: ") || error.text.contains("has been renamed to"))
            }
            #expect(here.count == 1 && isTold, "\(call): \(here)")
        }
    }

    @Test(arguments: [
        "try await c.write(data)", "try await c.write(data, kind: .withoutResponse)", "try await d.write(data)",
        "try m.update(data)", "try m.update(data, for: central)", "q.respond(data)", "v.setValue(data)",
        "v.update(data)", "v.notify(data)", "_ = await v.indicate(data)", "try await c.write([byte, 1][...])",
    ])
    func `a Data as a value is said to be turned into Bytes`(line: String) throws {
        let found = try messages(in: "\(Self.givens)\n\(line)\n}", importing: Self.everything)
        let errors = found.filter { $0.kind == "error" }
        #expect(errors.count == 1 && errors[0].text.contains("make bytes of it: Bytes(data)"), "\(found)")
    }

    @Test(arguments: ["c", "t"])
    func `notifications without parentheses are said to be called`(name: String) throws {
        let loop = "for try await value in \(name).notifications { print(value) }"
        let found = try messages(in: "\(Self.givens)\n\(loop)\n}", importing: Self.everything)
        let told = found.filter { $0.kind == "error" && $0.text.contains("try await characteristic.notifications()") }
        #expect(told.count == 1, "\(found)")
    }

    @Test func `a type without init(from:) is said to need one, with the article that shows it`() throws {
        let found = try errors(
            in: """
                struct Reading: CharacteristicValue {
                    static let uuid: BluetoothUUID = "FFF1"
                    var level: UInt8
                    var encodedByteCount: Int { 1 }
                    func encode(into output: inout OutputRawSpan) { output.write(level) }
                }
                """)
        let sentence = "write init(from:), as the article 'Serialization' of BlueCapSerDe shows"
        let told = found.filter { $0.contains(sentence) }
        #expect(told.count == 1, "\(found)")
        let complete = try errors(
            in: """
                struct Reading: CharacteristicValue {
                    static let uuid: BluetoothUUID = "FFF1"
                    var level: UInt8
                    init(from reader: inout ByteReader) throws(SerDeError) { level = try reader.read() }
                    var encodedByteCount: Int { 1 }
                    func encode(into output: inout OutputRawSpan) { output.write(level) }
                }
                enum State: UInt8, RawDeserializable { case off, on; static let uuid: BluetoothUUID = "FFF2" }
                func read<Value: ByteDecodable>(_ reader: inout ByteReader) throws -> Value { try Value(from: &reader) }
                """)
        #expect(complete == [])
    }

    @Test(arguments: [
        "let bytes: Bytes = \"AF\"", "m.value = \"AF\"", "let array: [UInt8] = \"AF\"", "_ = SerDe.serialize([\"AF\"])",
        "_ = VirtualCharacteristic(\"2A19\", value: \"AF\")", "try await c.write([256, \"AF\"])",
    ])
    func `a string literal where bytes are meant is no value`(line: String) throws {
        let found = try messages(in: "\(Self.givens)\n\(line)\n}", importing: Self.everything)
        #expect(found.contains { $0.kind == "error" }, "\(found)")
    }

    @Test func `a value with a type, and an array literal of bytes, are compiled without a word`() throws {
        let right = """
            try await c.write(yes); try await c.write("text"); try await c.write(text); try await c.write("\\(text)!"); try await c.write([1, 0xFF])
            try await c.write([]); try await c.write([byte, 1]); try await c.write(fraction * 2 + 1.5); try await c.write(byte + 1)
            try await c.write(5 as Float); try await c.write([1.0, 2] as [Double]); try await d.write(UInt16(5)); q.respond([1])
            try await c.write(yes ? UInt8(1) : 0); try m.update(-fraction); v.notify([1]); q.respond(.success)
            let bytes: Bytes = SerDe.serialize(byte)
            _ = (bytes, SerDe.serialize(fraction, as: Data.self), SerDe.serialize(byte, UInt16(6)), SerDe.serialize([1, 2, 255]))
            _ = (SerDe.serialize(byte, byte, byte, byte), SerDe.serialize(byte, fraction, "text", yes, UInt16(5), byte))
            _ = (TypedMutableCharacteristic(uuid: "2A19", value: byte), TypedMutableCharacteristic<UInt8>(uuid: "2A19", value: 5))
            _ = (TypedMutableCharacteristic(uuid: "2A19", value: "Lamp"), TypedMutableCharacteristic<[UInt16]>(uuid: "2A19", value: [1]))
            let typed: TypedMutableCharacteristic<Float> = TypedMutableCharacteristic(uuid: "2A19", value: 5)
            _ = (typed, TypedMutableCharacteristic<Bool>(uuid: "2A19"), try await c.notifications(), try await t.notifications(timeout: nil))
            try await c.write(Bytes(data)); try await c.write(Bytes()); v.update(Bytes(data)); q.respond(Bytes(data))
            """
        let found = try messages(in: "\(Self.givens)\n\(right)\n}", importing: Self.everything)
        #expect(found == [])
    }
}
