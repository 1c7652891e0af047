// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The compiler's messages about wrong programs.
@Suite("Compiler messages", .timeLimit(.minutes(5)))
struct CompilerMessageTests {
    /// The modules of this build, which stand beside the program of the tests.
    private static let modules: URL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("Modules")

    /// The errors of some lines of a program that imports a module, each without its place.
    private func errors(in lines: String, importing module: String = "BlueCapSerDe") throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        try "import \(module)\n\(lines)\n".write(to: file, atomically: true, encoding: .utf8)
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
            line.components(separatedBy: ": error: ").dropFirst().first
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
}
