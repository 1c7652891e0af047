// SPDX-License-Identifier: MIT

#if Configuration
import BlueCap
import BlueCapCore
import Configuration
import Testing

@Suite("Settings of swift-configuration", .timeLimit(.minutes(60)))
struct SettingsTests {
    /// A reader of environment variables, which are texts as in most of its sources.
    private func reader(_ variables: [String: String]) -> ConfigReader {
        ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
    }

    @Test func `of a central manager are read by their keys`() async throws {
        let settings = try await CentralManager.Configuration(
            reader([
                "LOG_LEVEL": "debug", "LOGS_NAMES": "true", "MAXIMUM_DISCOVERED_PERIPHERALS": "7",
                "MAXIMUM_ATTRIBUTES": "9", "ACCEPTS_JUST_WORKS": "true", "RESTORE_IDENTIFIER": "house",
            ]))
        #expect(settings.logLevel == .debug && settings.logPrivacy == .plain)
        #expect(settings.maximumDiscoveredPeripherals == 7 && settings.maximumAttributes == 9)
        #expect(settings.acceptsJustWorks && settings.restoreIdentifier == "house")
    }

    @Test func `of a peripheral manager are read by their keys`() async throws {
        let settings = try await PeripheralManager.Configuration(
            reader([
                "LOG_LEVEL": "off", "LOGS_NAMES": "true", "MAXIMUM_PENDING_UPDATES": "7",
                "MAXIMUM_OPEN_REQUESTS": "9", "REQUEST_TIME_LIMIT": "2.5", "ACCEPTS_JUST_WORKS": "true",
                "RESTORE_IDENTIFIER": "house", "MAXIMUM_CENTRALS": "2",
            ]))
        #expect(settings.logLevel == .off && settings.logPrivacy == .plain)
        #expect(settings.maximumPendingUpdates == 7 && settings.maximumOpenRequests == 9)
        #expect(settings.maximumCentrals == 2 && settings.requestTimeLimit == .milliseconds(2500))
        #expect(settings.acceptsJustWorks && settings.restoreIdentifier == "house")
    }

    @Test func `that are missing are the defaults`() async throws {
        let (read, usual) = (try await CentralManager.Configuration(reader([:])), CentralManager.Configuration())
        #expect(read.maximumDiscoveredPeripherals == usual.maximumDiscoveredPeripherals)
        #expect(read.logLevel == usual.logLevel && read.restoreIdentifier == nil)
        #expect(try await ReconnectPolicy(reader([:])) == ReconnectPolicy())
    }

    @Test(arguments: [("LOG_LEVEL", "loud"), ("MAXIMUM_ATTRIBUTES", "many"), ("ACCEPTS_JUST_WORKS", "perhaps")])
    func `of another type are an error that names the key`(variable: String, value: String) async throws {
        let reader = reader([variable: value])
        let error = try #require(
            await #expect(throws: (any Error).self) { try await CentralManager.Configuration(reader) })
        // Written as the variable, or as the key.
        let named = "\(error)".lowercased().replacing("_", with: "")
        #expect(named.contains(variable.lowercased().replacing("_", with: "")), "\(error)")
    }

    @Test func `of a policy double the wait where they have a longest one`() async throws {
        let policy = try await ReconnectPolicy(
            reader([
                "MAXIMUM_TIMEOUTS": "-1", "MAXIMUM_DISCONNECTIONS": "3", "BACKOFF": "0.2", "MAXIMUM_BACKOFF": "30",
                "MAXIMUM_ABSENCE": "3600",
            ]))
        let backoff = ReconnectPolicy.Backoff.exponential(initial: .milliseconds(200), maximum: .seconds(30))
        #expect(
            policy
                == ReconnectPolicy(
                    maximumTimeouts: nil, maximumDisconnections: 3, backoff: backoff, maximumAbsence: .seconds(3600)))
    }

    @Test(arguments: ["-1", "nan", "inf", "1e30"])
    func `of a time are refused where they are no number of seconds`(text: String) async throws {
        let error = try #require(
            await #expect(throws: InvalidDuration.self) {
                try await Duration(secondsIn: reader(["CONNECT_TIMEOUT": text]), forKey: "connect.timeout")
            })
        #expect(error.key == "connect.timeout")
    }
}
#endif
