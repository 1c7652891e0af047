// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapJSON
import BlueCapProfiles
import BlueCapSerDe
import Foundation
import Testing

@testable import BlueCapCommand
@testable import BlueCapGateway

@Suite("The file of a gateway", .timeLimit(.minutes(60)))
struct GatewayConfigurationTests {
    /// A file, and a part of each message about it, with its line.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var text: String
        var messages: [String]
        var testDescription: String { messages.first ?? "" }

        init(_ text: String, _ messages: String...) { (self.text, self.messages) = (text, messages) }
    }

    private func read(_ text: String, readsKeys: Bool = true) throws(ConfigurationError) -> GatewayConfiguration {
        try GatewayConfiguration(
            Array(text.utf8), file: "gateway.json", readsKeys: readsKeys, profiles: .standard)
    }

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static let key = "231d39c1d7cc1ab1aee224cd096db932"

    @Test(arguments: Measurement.numbers.sorted())
    func `takes a threshold for each value with a number, and for the second of its kind`(name: String) throws {
        let text = "{ \"rules\": [{ \"changes\": { \"\(name)\": 1, \"\(name)_2\": 2 } }] }"
        #expect(try read(text).plan.rules.all.first?.thresholds == [name: 1, "\(name)_2": 2])
    }

    @Test func `has the broker, the topics and the rules`() throws {
        let configuration = try read(
            """
            { "about": "the cellar", "name": "cellar", "prefix": "house/ble", "group": "home", "discovery": "", "minimumInterval": 2,
              "maximumInterval": 300.5,
              "metrics": "[::1]:9464",
              "broker": { "address": "mqtts://broker.lan:8884", "username": "house", "queue": 64 },
              "rules": [
                { "match": { "address": "54:48:e6:8f:80:a5" }, "name": "Freezer \\u00e4",
                  "key": "\(Self.key)", "changes": { "temperature": 0.2, "humidity_2": 1 } },
                { "match": { "name": "Win*", "service": "181A", "bthome": "clear" }, "minimumInterval": 10,
                  "maximumInterval": 20 },
                { "publish": false, "about": "" } ] }
            """)
        #expect(configuration.broker.address?.description == "mqtts://broker.lan:8884")
        #expect(configuration.metrics?.description == "[::1]:9464")
        #expect(configuration.broker.username == "house" && configuration.broker.capacity == 64)
        let plan = configuration.plan
        #expect(plan.statusTopic == "house/ble/cellar/status" && plan.discoveryPrefix == nil)
        #expect(plan.stateTopic("a4c138000001") == "house/ble/home/a4c138000001/state")
        #expect(plan.shortestInterval == .seconds(2) && plan.longestInterval == .milliseconds(300_500))
        let rules = plan.rules.all
        try #require(rules.count == 3)
        #expect(rules[0].match.address == PeerIdentifier("54:48:E6:8F:80:A5") && rules[0].name == "Freezer ä")
        #expect(rules[0].key == BindKey(hex: Self.key) && rules[0].thresholds == ["temperature": 0.2, "humidity_2": 1])
        #expect(
            rules[1].match.name == "Win*" && rules[1].match.service == "181A" && rules[1].match.isEncrypted == false)
        #expect(rules[1].times.shortest == .seconds(10) && rules[1].times.longest == .seconds(20))
        #expect(!rules[2].isPublished && rules[2].match == GatewayRule.Match())
    }

    @Test func `may let each change be published at once`() throws {
        #expect(try read("{ \"minimumInterval\": 0 }").plan.shortestInterval == .zero)
        for milliseconds in [1, 290, 1001, 1005, 4350, 16_385] {
            let plan = try read("{ \"minimumInterval\": \(Double(milliseconds) / 1000) }").plan
            #expect(plan.shortestInterval == .milliseconds(milliseconds))
        }
    }

    @Test func `may be empty, for all is as without it then`() throws {
        #expect(try read("{}") == GatewayConfiguration())
    }

    @Test func `is there as an example, without a mistake`() throws {
        let rules = try read(GatewayCommand.example).plan.rules.all
        #expect(rules.count == 3 && rules.first?.key != nil && rules.last?.isPublished == false)
    }

    @Test func `is there in the article, without a mistake and with each key that there is`() throws {
        let (article, blocks) = try article("RunningAGateway")
        try #require(blocks.count == 2)
        #expect(try read(blocks[0]).plan.rules.all.count == 5)
        #expect(try read(blocks[1]).plan.rules.connections.count == 3)
        // The message about an unknown key lists those that there are.
        let unknown = [
            "{ \"-\": 1 }", "{ \"broker\": { \"-\": 1 } }",
            "{ \"rules\": [{ \"-\": 1, \"match\": { \"-\": 1 }, \"connect\": { \"-\": 1 } }] }",
        ]
        for text in unknown {
            let error = #expect(throws: ConfigurationError.self) { try read(text) }
            for mistake in error?.mistakes ?? [] {
                let keys = mistake.text.components(separatedBy: "choose ").last?.split(separator: "'") ?? []
                for key in keys where key.allSatisfy(\.isLetter) { #expect(article.contains("\(key)`"), "\(key)") }
            }
        }
    }

    @Test func `is there in the article for beginners, without a mistake but for the password's file`() throws {
        let (_, blocks) = try article("AGatewayAtHome")
        try #require(blocks.count == 1)
        let error = #expect(throws: ConfigurationError.self) { try read(blocks[0]) }
        #expect(error?.mistakes.count == 1 && error?.mistakes.first?.text.contains("'passwordFile'") == true)
    }

    /// The text of an article, and its blocks of JSON.
    private func article(_ name: String) throws -> (text: String, blocks: [String]) {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/BlueCapCommand/Documentation.docc/\(name).md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let pieces = text.components(separatedBy: "```json\n").dropFirst()
        return (text, pieces.compactMap { $0.components(separatedBy: "```").first })
    }

    private static let keyRing = "\"match\": { \"name\": \"Keys\" }"
    private static let strap = "\"match\": { \"address\": \"C0:DE:00:00:00:02\" }"

    static let mistakes: [Mistake] = [
        Mistake("[]", "gateway.json:1: the file is an object"),
        Mistake("{\n  \"brokr\": {} }", "gateway.json:2: the file has no 'brokr': choose 'broker', "),
        Mistake("{\n\"name\": \"a\",\n\"name\": \"b\" }", "gateway.json:3: 'name' stands in line 2 already"),
        Mistake("{ \"name\": 7 }", "gateway.json:1: 'name' is a text"),
        Mistake("{ \"name\": \"\" }", "'name' is empty"),
        Mistake("{ \"name\": \"\(String(repeating: "x", count: 256))\" }", "'name' is longer than 255 bytes"),
        Mistake("{ \"prefix\": \"a\\u0000\" }", "'prefix' has a control character"),
        Mistake("{ \"prefix\": \"a/#\" }", "'prefix' has + or #"), Mistake("{ \"prefix\": \"$SYS\" }", "begins with $"),
        Mistake("{ \"group\": \"a/b\" }", "gateway.json:1: 'group' has other characters"),
        Mistake("{ \"minimumInterval\": -0.5 }", "'minimumInterval' is a number of seconds from 0 to 28800"),
        Mistake("{ \"maximumInterval\": 0.5 }", "'maximumInterval' is a number of seconds from 1 to 28800"),
        Mistake("{ \"maximumInterval\": 1e999 }", "'maximumInterval' is a number of seconds from 1 to 28800"),
        Mistake(
            "{\n\n\"minimumInterval\": 1e400 }", "gateway.json:3: 'minimumInterval' is a number of seconds from 0 to"),
        Mistake("{\n\"connections\":\n1.5 }", "gateway.json:3: 'connections' is a whole number, without a point"),
        Mistake("{\n\"connections\": 1e400 }", "gateway.json:2: 'connections' is a number of connections from 1 to 16"),
        Mistake(
            "{ \"rules\": [{ \"changes\": {\n\"humidity\":\n1e400 } }] }",
            "gateway.json:3: 'humidity' is a number from 0"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": {\n\"every\": 1e400, \"read\": [\"2A19\"] } }] }",
            "gateway.json:2: 'every' is a number of seconds from 10 to 28800"),
        Mistake("{ \"maximumInterval\": \"60\" }", "'maximumInterval' is a number of seconds from 1 to 28800"),
        Mistake(
            "{ \"minimumInterval\": 9,\n\"maximumInterval\": 8 }",
            "gateway.json:1: 'minimumInterval' is greater than 'maximumInterval' in line 2"),
        Mistake("{\n\"metrics\": \"house.lan:9464\" }", "gateway.json:2: 'metrics' is an address of this machine and"),
        Mistake("{ \"metrics\": 9464 }", "'metrics' is a text in quotes"),
        Mistake("{\n\"proxy\": {} }", "gateway.json:2: 'proxy' has no 'key'"),
        Mistake(
            "{ \"proxy\": { \"key\": 1,\n\"prot\": 1 } }", "gateway.json:1: 'key' is a text",
            "gateway.json:2: 'proxy' has no 'prot': choose 'key', 'name', 'port', 'address', 'slots'"),
        Mistake("{ \"proxy\": { \"key\": \"a\", \"port\": 65536 } }", "'port' is a port from 0 to 65535"),
        Mistake("{ \"proxy\": { \"key\": \"a\", \"slots\": 17 } }", "'slots' is a number of connections from 0 to 16"),
        Mistake("{ \"broker\": [] }", "'broker' is an object in braces"),
        Mistake("{ \"broker\": { \"address\": \"http://a\" } }", "write mqtt://HOST"),
        Mistake("{ \"broker\": { \"address\": \"mqtt://a:b@c\" } }", "use 'username' and 'passwordFile'"),
        Mistake("{ \"broker\": { \"queue\": 1 } }", "'queue' is a number of messages from 16 to 65536"),
        Mistake("{ \"broker\": { \"queue\": 16.5 } }", "'queue' is a whole number"),
        Mistake(
            "{ \"broker\": { \"address\": \"mqtt://a\", \"caFile\": \"/dev/null\" } }",
            "names /dev/null: it is no file",
            "'caFile' needs TLS"),
        Mistake(
            "{ \"broker\": { \"keyFile\": \"/nowhere\" } }", "names /nowhere: No such file", "add 'certificateFile'"),
        Mistake("{ \"broker\": { \"passwordFile\": \"/nowhere\" } }", "names /nowhere: No such file", "add 'username'"),
        Mistake("{ \"rules\": {} }", "'rules' is a list"), Mistake("{ \"rules\": [7] }", "a rule is an object"),
        Mistake("{ \"rules\": [{ \"publish\": 1 }] }", "'publish' is true or false"),
        Mistake("{ \"rules\": [{ \"match\": { \"address\": \"A4:C1\" } }] }", "'address' is no address"),
        Mistake("{ \"rules\": [{ \"match\": { \"service\": \"18\" } }] }", "'service' is no UUID"),
        Mistake("{ \"rules\": [{ \"match\": { \"bthome\": \"yes\" } }] }", "'bthome' is \"encrypted\" or \"clear\""),
        Mistake("{ \"rules\": [{ \"match\": { \"adress\": \"\" } }] }", "'match' has no 'adress': choose 'address'"),
        Mistake("{ \"rules\": [{ \"changes\": { \"warmth\": 1 } }] }", "'warmth' is no value with a number; there are"),
        Mistake(
            "{ \"rules\": [{ \"changes\": {" + (0...64).map { "\"t\($0)\":1" }.joined(separator: ",") + "} }] }",
            "'changes' has more than 64 values"),
        Mistake(
            "{ \"rules\": [{ \"values\": [\"warmth\",\n\"battery\", \"battery\"] }] }",
            "gateway.json:1: 'values' has names of values; there are", "gateway.json:2: 'battery' stands twice"),
        Mistake("{ \"rules\": [{ \"values\": [] }] }", "'values' is empty"),
        Mistake(
            "{ \"rules\": [{ \"values\": [\"door\"], \"changes\": { \"battery\": 1 } }] }",
            "'battery' is not one of 'values'"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"values\": [\"door\"], \"connect\": { \"write\": [\"2A39\"] } }] }",
            "'values' is for values of advertisements"),
        Mistake("{ \"rules\": [{ \"changes\": { \"door\": 1 } }] }", "'door' is no value with a number"),
        Mistake("{ \"rules\": [{ \"changes\": { \"humidity\": 0 } }] }", "'humidity' is 0"),
        Mistake("{ \"rules\": [{ \"changes\": { \"humidity\": -1 } }] }", "'humidity' is a number from 0 to"),
        Mistake("{ \"rules\": [{ \"key\": \"\(key)\" }] }", "'key' belongs to one device"),
        Mistake("{ \"rules\": [{\n\"publish\": false,\n\"name\": \"a\" }] }", "gateway.json:3: 'name' has no effect"),
        Mistake("{ \"maximumInterval\": 60, \"rules\": [{ \"minimumInterval\": 90 }] }", "give the rule its own"),
        Mistake("{ \"minimumInterval\": 60, \"rules\": [{ \"maximumInterval\": 30 }] }", "give the rule its own"),
        Mistake(
            "{ \"rules\": [{ \"match\": { \"name\": \"A*\" } },\n{ \"match\": { \"name\": \"AB\", \"service\": \"181A\" } }] }",
            "gateway.json:2: this rule never counts, as that of line 1 comes first"),
        Mistake("{ \"rules\": [{},\n{ \"publish\": false }] }", "gateway.json:2: this rule never counts"),
        Mistake("{ \"connections\": 17 }", "'connections' is a number of connections from 1 to 16"),
        Mistake("{ \"rules\": [{ \(strap), \"connect\": 7 }] }", "'connect' is an object"),
        Mistake("{ \"rules\": [{ \(strap), \"connect\": {} }] }", "'connect' does nothing"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"reed\": [] } }] }", "has no 'reed'", "'connect' does nothing"),
        Mistake("{ \"rules\": [{ \(strap), \"connect\": { \"write\": [] } }] }", "'write' is empty"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": {\n\"read\": [\"2A19\"] } }] }",
            "gateway.json:2: 'read' needs 'every'"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"every\": 60,\n\"write\": [\"2A19\"] } }] }",
            "gateway.json:1: 'every' is the time between two readings"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"every\": 5, \"read\": [\"2A19\"] } }] }",
            "'every' is a number of seconds from 10 to 28800"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"write\": [\n\"Batery\", 7, \"180F/Battery Level\", \"2A19/\"] } }] }",
            "gateway.json:2: 'Batery' is no characteristic", "gateway.json:2: 'write' has texts",
            "'2A19/' is no characteristic"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"subscribe\": [\"2A19\", \"Battery Level\"] } }] }",
            "'Battery Level' stands twice in 'subscribe'"),
        Mistake(
            "{ \"rules\": [{ \"match\": { \"name\": \"A\" }, \"connect\": { \"write\": [\"2A19\"] } }] }",
            "'connect' belongs to one device"),
        Mistake(
            "{ \"rules\": [{ \"match\": { \"name\": \"A*\" } },\n{ \(strap), \"connect\": { \"write\": [\"2A19\"] } }] }",
            "gateway.json:2: this rule has 'connect', and that of line 1 may fit its device"),
        Mistake(
            "{ \"connections\": 1, \"rules\": [{ \(strap), \"connect\": { \"subscribe\": [\"2A37\"] } },\n"
                + "{ \"match\": { \"address\": \"C0:DE:00:00:00:03\" }, \"connect\": { \"subscribe\": [\"2A37\"] } }] }",
            "gateway.json:2: more devices stay connected than the 1 of 'connections'"),
        Mistake(
            "{ \"connections\": 1, \"rules\": [{ \(strap), \"connect\": { \"subscribe\": [\"2A37\"] } },\n"
                + "{ \"match\": { \"address\": \"C0:DE:00:00:00:03\" }, \"connect\": { \"write\": [\"2A37\"] } }] }",
            "gateway.json:2: the devices that stay connected take all 1 connections"),
        Mistake(
            "{ \"group\": \"home\", \"connections\": 1, \"rules\": [{ \(strap), \"connect\": { \"subscribe\": [\"2A37\"] } },\n"
                + "{ \"match\": { \"address\": \"C0:DE:00:00:00:03\" }, \"connect\": { \"write\": [\"2A37\"] } }] }",
            "gateway.json:2: the devices that stay connected take all 1 connections"),
        Mistake("{ \"rules\": [{\n\"keeps\": \"yes\" }] }", "gateway.json:2: 'keeps' is true or false"),
        Mistake(
            "{ \"rules\": [{ \(keyRing),\n\"presence\": 29 }] }", "gateway.json:2: 'presence' is a number of seconds"),
        Mistake("{ \"rules\": [{\n\"presence\": 60 }] }", "gateway.json:2: 'presence' is for devices that you name"),
        Mistake(
            "{ \"rules\": [{ \(strap), \"connect\": { \"write\": [\"2A19\"] },\n\"presence\": 60 }] }",
            "gateway.json:2: 'presence' is for devices that advertise"),
        Mistake(
            "{ \"rules\": [{ \(keyRing), \"maximumInterval\": 60,\n\"presence\": 60 }] }",
            "gateway.json:2: 'presence' is less than three times 'maximumInterval'"),
        Mistake(
            "{ \"rules\": [{ \"publish\": false, \(keyRing),\n\"presence\": 60 }] }",
            "gateway.json:2: 'presence' has no effect"),
        Mistake(
            "{ \"rules\": [{ \"match\": {\n\"beacon\": \"180F\" } }] }", "gateway.json:2: 'beacon' is no beacon"),
        Mistake(
            "{ \"rules\": [{\n\"match\": { \"beacon\": \"00112233445566778899\" } }] }",
            "gateway.json:2: 'match' has 'beacon', and a beacon has no values"),
        Mistake(
            "{ \"rules\": [{ \"presence\": 60, \"match\": { \"beacon\": \"00112233445566778899\",\n"
                + "\"format\": \"pvvx\" } }] }",
            "gateway.json:2: 'format' contradicts 'beacon'"),
        Mistake("{ \"name\": \"a\",\n \"prefix\" }", "gateway.json:2: this is not JSON: ':' is expected"),
        Mistake(String(repeating: "[", count: 50), "gateway.json:1: values are too deep in each other"),
        Mistake("{ \"rules\": [\(String(repeating: "{},", count: 1024)){}] }", "'rules' has more than 1024"),
    ]

    @Test(arguments: mistakes)
    func `is refused with the line and the way out`(mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) { try read(mistake.text) }
        let all = "\(error.map(String.init(describing:)) ?? "")".split(separator: "\n").map(String.init)
        #expect(all.count == mistake.messages.count, "\(all)")
        // Each has a column, which the messages here leave out.
        let place = #/^gateway\.json:([0-9]+):[0-9]+: /#
        let lines = all.map { $0.replacing(place) { match in "gateway.json:\(match.output.1): " } }
        for (line, shown) in zip(all, lines) { #expect(line != shown, "\(line)") }
        for message in mistake.messages { #expect(lines.contains { $0.contains(message) }, "\(lines)") }
    }

    @Test func `may have more devices that stay connected than connections where it has a group`() throws {
        let rules = (2...3).map {
            "{ \"match\": { \"address\": \"C0:DE:00:00:00:0\($0)\" }, \"connect\": { \"subscribe\": [\"2A37\"] } }"
        }
        let text = "{ \"group\": \"home\", \"connections\": 1, \"rules\": [\(rules.joined(separator: ","))] }"
        let configuration = try read(text)
        #expect(configuration.plan.rules.all.count == 2 && configuration.plan.connectionLimit == 1)
    }

    @Test func `has all of its mistakes in one message, in the order of the lines`() {
        let text = """
            { "rules": [
                { "match": { "address": "x" } },
                { "publish": "no" } ],
              "broker": { "queue": 0 },
              "nmae": "a" }
            """
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.mistakes.map(\.place?.line) == [2, 3, 4, 5])
        let many = "{ \"rules\": [\(String(repeating: "7,", count: 99))7] }"
        let shown = #expect(throws: ConfigurationError.self) { try read(many) }
        #expect(shown?.description.hasSuffix("\nand 50 more mistakes") == true)
    }

    @Test(arguments: ["\(key)0", "\(key.dropLast())g", "0x\(key.dropLast(2))", String(key.dropLast()), ""])
    func `names no character of a key that is wrong`(key: String) {
        let text = "{ \"rules\": [\n{ \"match\": { \"address\": \"A4:C1:38:00:00:01\" }, \"key\": \"\(key)\" }] }"
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.mistakes.map(\.place?.line) == [2])
        #expect(error.map { "\($0)" }?.contains(Self.key.prefix(8)) == false)
    }

    @Test func `has one key for a device, and none where the program cannot use it`() throws {
        let other = String(Self.key.reversed())
        let text = """
            { "rules": [
                { "match": { "address": "A4:C1:38:00:00:01", "name": "A" }, "key": "\(Self.key)" },
                { "match": { "address": "A4:C1:38:00:00:01" }, "key": "\(other)" } ] }
            """
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(
            error?.mistakes.map(\.place?.line) == [3] && error?.mistakes[0].text.hasPrefix("another key of") == true)
        let same = text.replacingOccurrences(of: other, with: Self.key)
        #expect(try read(same).plan.rules.all.count == 2)
        let unusable = #expect(throws: ConfigurationError.self) { try read(same, readsKeys: false) }
        #expect(unusable?.mistakes.map(\.place?.line) == [2, 3])
    }

    @Test func `prints no key and no password`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("open sesame\nmore".utf8).write(to: folder.appendingPathComponent("secret"))
        let file = folder.appendingPathComponent("gateway.json")
        let text = """
            { "broker": { "address": "mqtt://a", "username": "house", "passwordFile": "secret" },
              "rules": [{ "match": { "address": "A4:C1:38:00:00:01" }, "key": "\(Self.key)" }] }
            """
        try Data(text.utf8).write(to: file)
        let bytes = try [UInt8](Data(contentsOf: file))
        let configuration = try GatewayConfiguration(bytes, file: file.path, readsKeys: true)
        #expect(configuration.broker.password == BrokerPassword("open sesame"))
        var dumped = "\(configuration)"
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("sesame") && !dumped.contains(Self.key))
    }

    @Test func `takes the password of systemd where it names a user and no file`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func read(_ broker: String) throws(ConfigurationError) -> BrokerPassword? {
            let text = "{ \"broker\": { \"address\": \"mqtt://a\"\(broker) } }"
            return try GatewayConfiguration(Array(text.utf8), file: "a", credentials: folder.path).broker.password
        }
        #expect(try read(", \"username\": \"house\"") == nil)
        try Data("open sesame".utf8).write(to: folder.appendingPathComponent("mqtt-password"))
        #expect(try read(", \"username\": \"house\"") == BrokerPassword("open sesame"))
        #expect(try read("") == nil)
        try Data("\n".utf8).write(to: folder.appendingPathComponent("mqtt-password"))
        let error = #expect(throws: ConfigurationError.self) { try read(", \"username\": \"house\"") }
        #expect(error?.mistakes.first?.text.contains("no password in its first line") == true)
    }

    @Test func `is refused as a whole where it cannot be read, or is too large`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = folder.appendingPathComponent("large.json").path
        let bytes = Data(repeating: 0x20, count: GatewayConfiguration.maximumByteCount + 1)
        #expect(FileManager.default.createFile(atPath: large, contents: bytes))
        let wanted = [
            folder.appendingPathComponent("nowhere.json").path: "No such file or directory",
            folder.path: "it is no file", large: "it has 1048577 bytes, and 1048576 are allowed",
        ]
        for (path, reason) in wanted {
            let error = #expect(throws: ConfigurationError.self) {
                try GatewayConfiguration(file: path, credentials: nil, profiles: ProfileManager())
            }
            #expect(error.map { "\($0)" } == "\(path): \(reason)")
        }
    }

    @Test func `may have a proxy, whose key begins at the folder of the file`() throws {
        let text = #"{ "proxy": { "key": "key", "name": "attic", "port": 6054, "address": "::1", "slots": 0 } }"#
        let file = "/etc/bluecap/gateway.json"
        let proxy = try #require(try GatewayConfiguration(Array(text.utf8), file: file).proxy)
        #expect((proxy.key, proxy.name, proxy.port) == ("/etc/bluecap/key", "attic", 6054))
        #expect((proxy.address, proxy.slots) == ("::1", 0))
        let least = try #require(try read(#"{ "proxy": { "key": "/key" } }"#).proxy)
        #expect(least == ProxySettings(key: "/key") && (least.port, least.slots, least.name) == (6053, 3, nil))
    }

    @Test func `says which of its new values wait for the next start`() throws {
        let old = try read("{ \"broker\": { \"address\": \"mqtt://a\" } }")
        let rules = try read("{ \"broker\": { \"address\": \"mqtt://a\" }, \"rules\": [{}], \"minimumInterval\": 2 }")
        #expect(old.keysForNextStart(of: rules).isEmpty)
        let all = try read(
            #"{ "name": "a", "prefix": "b", "group": "c", "discovery": "", "metrics": "127.0.0.1:0", "#
                + #""state": "d", "connections": 1, "proxy": { "key": "e" } }"#)
        let keys = ["broker", "name", "prefix", "group", "discovery", "metrics", "state", "proxy"]
        #expect(old.keysForNextStart(of: all) == keys)
    }
}
#endif
