// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct BondsTests {
    private static func source(_ radio: VirtualRadio, _ central: CentralManager) -> BondSource {
        { try await RadioOptions.bonds(of: central, among: radio.peripherals) }
    }

    @Test func `the bonds of the virtual town are those of an earlier run`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            try await BondsSession(central: central, bonds: Self.source(radio, central), output: output).run()
            #expect(output.lines == ["C0:DE:00:00:00:03  Dog Collar"])
        }
    }

    @Test func `a bond in JSON has identifier, name and connection`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            try await BondsSession(
                central: central, bonds: Self.source(radio, central), isJSON: true, output: output
            ).run()
            #expect(
                output.lines == [
                    #"{"connected":false,"event":"bond","id":"C0:DE:00:00:00:03","name":"Dog Collar"}"#
                ])
        }
    }

    @Test func `without a bond nothing is printed, and how to make one is reported`() async throws {
        try await inTown { _, central in
            let (output, said) = (RecordedOutput(), Locked<[String]>([]))
            try await BondsSession(
                central: central, bonds: { [] }, output: output, progress: { text in said.withLock { $0.append(text) } }
            ).run()
            #expect(output.lines.isEmpty && said.withLock { $0 }.first?.contains("'bluecap pair DEVICE'") == true)
        }
    }

    @Test(arguments: [["dog collar"], ["c0:de:00:00:00:03", "Dog Collar"], []])
    func `a device is forgotten once, by name, identifier or as one of all`(devices: [String]) async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let source = Self.source(radio, central)
            try await ForgetSession(central: central, bonds: source, devices: devices, output: output).run()
            #expect(output.lines == ["forgot C0:DE:00:00:00:03  Dog Collar"])
            let left = try await source()
            #expect(left.isEmpty)
        }
    }

    @Test func `where one of the names is no bond nothing is forgotten, and the bonds are named`() async throws {
        try await inTown { radio, central in
            let source = Self.source(radio, central)
            let error = await #expect(throws: CommandFailure.self) {
                try await ForgetSession(
                    central: central, bonds: source, devices: ["Dog Collar", "Cat"], output: RecordedOutput()
                ).run()
            }
            #expect(error?.status == .tryAgain)
            #expect(error?.message.contains("C0:DE:00:00:00:03  Dog Collar") == true)
            let left = try await source()
            #expect(left.count == 1)
        }
    }

    @Test func `of several with one name none is forgotten`() async throws {
        try await inTown { _, central in
            let bonds = ["01", "02"].map { Bond(id: "C0:DE:00:00:00:\($0)", name: "Twin", connected: false) }
            let error = await #expect(throws: CommandFailure.self) {
                try await ForgetSession(
                    central: central, bonds: { bonds }, devices: ["twin"], output: RecordedOutput()
                ).run()
            }
            #expect(error?.status == .usage)
            #expect(error?.message.contains("choose by identifier") == true, "\(error as Any)")
        }
    }

    @Test func `an identifier is no name, even where a paired device calls itself so`() async throws {
        try await inTown { _, central in
            let bond = Bond(id: "C0:DE:00:00:00:01", name: "C0:DE:00:00:00:02", connected: false)
            let error = await #expect(throws: CommandFailure.self) {
                try await ForgetSession(
                    central: central, bonds: { [bond] }, devices: ["C0:DE:00:00:00:02"], output: RecordedOutput()
                ).run()
            }
            #expect(error?.status == .tryAgain)
        }
    }

    @Test(arguments: [
        ([], "--all"),
        (["Lock", "--all"], "--all"),
    ])
    func `it is either devices or all`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: ForgetCommand.self, saying: text)
    }
}
