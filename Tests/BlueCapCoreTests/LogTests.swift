// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Logging
import Testing

@testable import BlueCapCore

@Suite("What is logged", .timeLimit(.minutes(60)))
struct LogTests {
    private let recorder = LogRecorder(logLevel: .trace)

    private var logger: Logger { recorder.logger }

    private static let gone = BackendFailure(
        name: "org.bluez.Error.Failed", message: "the adapter C0:DE:00:00:00:01 is gone (dev_c0_de_00_00_00_01)")

    private func line(_ text: LogText, _ privacy: LogPrivacy) -> String { text.text(privacy) }

    @Test func `changes of state and power are logged at debug`() async throws {
        try await PeripheralWorld.run(logger: logger) { world in
            await world.cyclePower(forgetting: true)
            await world.emit(.stateChanged(.resetting, Self.gone))
        }
        let logged = recorder.lines.withLock { $0 }
        #expect(logged.count >= 4)
        #expect(logged.allSatisfy { $0.level == .debug })
    }

    @Test func `what varies is in the metadata of a line`() async throws {
        try await PeripheralWorld.run(logger: logger) { world in await world.cyclePower() }
        let logged = recorder.texts
        #expect(
            logged.suffix(2) == [
                "the radio has changed its state state=poweredOff", "the radio has changed its state state=poweredOn",
            ])
    }

    @Test func `a warning that comes again, as in a steady state, comes at debug, and another one does not`() {
        let log = RadioLog(logger, .redacted)
        for _ in 0..<3 { log.warning("a request was not answered in time", ["limit": "\(1)"]) }
        log.warning("a request was not answered in time", ["limit": "\(2)"])
        #expect(recorder.lines.withLock { $0.map(\.level) } == [.warning, .debug, .debug, .warning])
    }

    @Test func `warnings without end come at debug in the end`() {
        let log = RadioLog(logger, .redacted)
        for number in 0..<1000 { log.warning("a request was not answered in time", ["limit": "\(number)"]) }
        #expect(recorder.lines.withLock { $0.count { $0.level == .warning } } == 256)
    }

    @Test(arguments: LogLevel.allCases)
    func `a configuration's log level is its logger's, in both roles`(_ level: LogLevel) {
        var central = CentralManager.Configuration(logger: logger)
        var peripheral = PeripheralManager.Configuration(logger: logger)
        central.logLevel = level
        peripheral.logLevel = level
        #expect(central.logLevel == level)
        #expect(peripheral.logLevel == level)
        for logger in [central.logger, peripheral.logger] {
            logger.debug("d")
            logger.warning("w")
            logger.error("e")
        }
        let expected =
            switch level {
            case .debug: ["d", "w", "e", "d", "w", "e"]
            case .warning: ["w", "e", "w", "e"]
            case .off: [] as [String]
            }
        #expect(recorder.texts == expected)
    }

    @Test func `every level of a logger has one that lets the same of a manager's log through`() {
        for level in Logger.Level.allCases {
            let expected: LogLevel = level <= .debug ? .debug : level <= .warning ? .warning : .off
            #expect(LogLevel(level) == expected)
        }
    }

    @Test func `addresses and names stay out of the log, in the platform's texts too`() async throws {
        let peer = line("peer \(PeerIdentifier.one), called \(name: "Anna's phone")", .redacted)
        #expect(peer.hasPrefix("peer <device "))
        #expect(peer.hasSuffix(">, called <name>"))
        let failure = line("\(Self.gone)", .redacted)
        #expect(!failure.contains("C0:DE"))
        #expect(!failure.contains("c0_de"))
        #expect(failure.hasSuffix("(org.bluez.Error.Failed)"))
    }

    @Test
    func `one device has one pseudonym, however its address is written, and another device another`() {
        let one = line("\(PeerIdentifier.one)", .redacted)
        let failure = line("\(Self.gone)", .redacted)
        #expect(failure == "the adapter \(one) is gone (dev_\(one)) (org.bluez.Error.Failed)")
        #expect(line("\(PeerIdentifier.two)", .redacted) != one)
    }

    @Test func `an app that wants to see addresses and names in its log does`() {
        let peer = line("peer \(PeerIdentifier.one), called \(name: "Anna's phone")", .plain)
        #expect(peer == "peer C0:DE:00:00:00:01, called Anna's phone")
        #expect(line("\(Self.gone)", .plain) == Self.gone.description)
    }

    @Test func `what only resembles an address is logged as it is`() {
        let text = BackendFailure(
            name: "x", message: "12:34:56 a:b:c C0:DE:00:00:00 GG:DE:00:00:00:01 C0:DE-00:00:00:01")
        #expect(line("\(text)", .redacted) == text.description)
    }

    @Test func `the managers log no values of attributes`() async throws {
        try await PeripheralWorld.run(logger: logger) { world in
            let characteristic = try await world.characteristic(value: [0xAB, 0xCD])
            let requests = await world.recorder(characteristic.writeRequests())
            try await world.subscribe(to: characteristic)
            let access = try await world.write([0xDE, 0xAD, 0xBE, 0xEF], to: characteristic)
            requests.all.first?.respond(.init(rawValue: 0x42))
            _ = await world.answers(to: access)
            try characteristic.update([0xFE, 0xED])
            await world.idle()
            await world.refuse()
        }
        let text = recorder.texts.joined(separator: "\n").lowercased()
        #expect(!text.isEmpty)
        for value in ["abcd", "ab cd", "dead", "de ad", "feed", "fe ed"] { #expect(!text.contains(value)) }
    }
}
