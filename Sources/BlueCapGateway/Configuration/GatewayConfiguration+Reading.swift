// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
package import BlueCapCore
package import BlueCapJSON
import BlueCapRuntime
import BlueCapSerDe

extension GatewayConfiguration {
    /// The greatest size of a file in bytes.
    package static let maximumByteCount = 1 << 20
    private static let maximumFormatFiles = 16
    private static let limits = JSONLimits(values: 1 << 16, depth: 8)
    /// The keys of a file.
    private static let keys = [
        "broker", "name", "prefix", "group", "discovery", "minimumInterval", "maximumInterval", "rules", "metrics",
        "state", "connections", "formats", "proxy", "about",
    ]
    private static let brokerKeys = [
        "address", "username", "passwordFile", "caFile", "certificateFile", "keyFile", "queue",
    ]

    /// Whether this program was built with the trait that reads encrypted frames.
    package static var readsKeys: Bool {
        #if Crypto
        true
        #else
        false
        #endif
    }

    /// Reads a file, and the files that it names.
    ///
    /// - Parameters:
    ///   - file: Its path; paths in it begin at its folder.
    ///   - credentials: The folder in which systemd puts the password as `mqtt-password`; nil for none.
    ///   - profiles: The profiles whose characteristics rules may name.
    ///   - machine: The name of the machine.
    /// - Throws: All of its mistakes.
    package init(
        file: String, credentials: String?, profiles: ProfileManager, machine: String = "bluecap"
    ) throws(ConfigurationError) {
        let bytes: [UInt8]
        do throws(ConfigurationFile.Fault) {
            bytes = try ConfigurationFile.read(file, maximum: Self.maximumByteCount)
        } catch {
            throw ConfigurationError(file: file, mistakes: [ConfigurationMistake(place: nil, text: error.reason)])
        }
        try self.init(bytes, file: file, credentials: credentials, profiles: profiles, machine: machine)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: JSON.
    ///   - file: The path of the file.
    ///   - credentials: The folder with passwords of systemd; nil for none.
    ///   - readsKeys: Whether the program can decrypt frames.
    ///   - profiles: The profiles whose characteristics rules may name.
    ///   - machine: The name of the machine.
    /// - Throws: All of its mistakes.
    package init(
        _ bytes: [UInt8], file: String, credentials: String? = nil, readsKeys: Bool = Self.readsKeys,
        profiles: ProfileManager = ProfileManager(), machine: String = "bluecap"
    ) throws(ConfigurationError) {
        self.init(machine: machine)
        let list = MistakeList()
        do throws(JSONFault) {
            let json = try PlacedJSON(bytes, within: Self.limits, allowsDoubleKeys: true)
            if let top = ConfigurationObject(json, called: "the file", keys: Self.keys, list) {
                read(top, folder: file.lastIndex(of: "/").map { String(file[...$0]) } ?? "", credentials)
                let reader = RuleReader(list, plan, ConnectionReader(list, profiles), readsKeys: readsKeys)
                plan.rules = GatewayRules(reader.rules(top))
            }
        } catch {
            list.add(error.place, error.isExcess ? error.reason : "this is not JSON: \(error.reason)")
        }
        if !list.isEmpty { throw list.error(in: file) }
    }

    private mutating func read(_ top: ConfigurationObject, folder: String, _ credentials: String?) {
        _ = top.text("about", isEmptyAllowed: true)
        if let name = top.text("name") { plan.name = name }
        for (key, isEmptyAllowed) in [("prefix", false), ("discovery", true)] {
            guard let text = top.text(key, isEmptyAllowed: isEmptyAllowed) else { continue }
            if let fault = TopicText.fault(inPrefix: text) { top.refuse(key, fault) }
            if key == "prefix" { plan.prefix = text } else { plan.discoveryPrefix = text.isEmpty ? nil : text }
        }
        plan.group = top.text("group")
        if let group = plan.group, TopicText.level(group) != group {
            top.refuse("group", "has other characters than 64 of letters, digits, - and _: choose another")
        }
        let (shortest, longest) = top.intervals()
        (plan.shortestInterval, plan.longestInterval) = (shortest ?? plan.shortestInterval, longest)
        if let count = top.whole("connections", "a number of connections", in: 1...16) { plan.connectionLimit = count }
        if let text = top.text("metrics") {
            do throws(MetricsAddressError) {
                metrics = try MetricsAddress(text: text)
            } catch {
                top.refuse("metrics", "\(error)")
            }
        }
        state = top.text("state").map { Self.path($0, folder) }
        proxy = top.proxySettings { Self.path($0, folder) }
        readFormats(top, folder)
        if let object = top.object("broker", keys: Self.brokerKeys) { read(broker: object, folder, credentials) }
    }

    private mutating func readFormats(_ top: ConfigurationObject, _ folder: String) {
        guard let values = top.list("formats") else { return }
        if values.count > Self.maximumFormatFiles {
            return top.refuse("formats", "has more than \(Self.maximumFormatFiles) files: join some of them")
        }
        for value in values {
            guard case .text(let text) = value.content else {
                top.refuse("formats", "is a list of paths in quotes")
                continue
            }
            let path = Self.path(text, folder)
            do {
                let bytes = try ConfigurationFile.read(path, maximum: SensorFormats.maximumJSONByteCount)
                plan.formats = plan.formats.adding(try SensorFormats(json: bytes))
            } catch let error as SensorFormatError {
                let mistakes = "\(error)".replacing("\n", with: "; ")
                top.refuse("formats", "names \(path), which has mistakes: \(mistakes)")
            } catch {
                let reason = (error as? ConfigurationFile.Fault)?.reason ?? "\(error)"
                top.refuse("formats", "names \(path): \(reason): correct the path, or the file")
            }
        }
    }

    private mutating func read(broker object: ConfigurationObject, _ folder: String, _ credentials: String?) {
        if let text = object.text("address") {
            do throws(BrokerAddressError) {
                broker.address = try BrokerAddress(text: text)
            } catch {
                object.refuse(
                    "address", error == .credentials ? "has a user: use 'username' and 'passwordFile'" : "\(error)")
            }
        }
        broker.username = object.text("username")
        let files = ["caFile", "certificateFile", "keyFile"].map { pemFile($0, in: object, folder) }
        (broker.authorityFile, broker.certificateFile, broker.keyFile) = (files[0], files[1], files[2])
        if let queue = object.whole("queue", "a number of messages", in: 16...65_536) { broker.capacity = queue }
        let isPlain = broker.address?.isSecure == false
        if isPlain, let key = ["caFile", "certificateFile", "keyFile"].first(where: object.has) {
            object.refuse(key, "needs TLS: write mqtts:// in 'address', or remove it")
        }
        if object.has("certificateFile") != object.has("keyFile") {
            let (there, missing) =
                object.has("keyFile") ? ("keyFile", "certificateFile") : ("certificateFile", "keyFile")
            object.refuse(there, "is one half: add '\(missing)'")
        }
        readPassword(object, folder, credentials)
    }

    private mutating func readPassword(_ object: ConfigurationObject, _ folder: String, _ credentials: String?) {
        if let file = object.text("passwordFile") {
            if !object.has("username") { object.refuse("passwordFile", "needs the user whose it is: add 'username'") }
            do throws(BrokerPassword.FileError) {
                broker.password = try BrokerPassword(file: Self.path(file, folder))
            } catch {
                object.refuse("passwordFile", "names \(error): correct the path, or the file")
            }
        } else if broker.username != nil, let credentials {
            do throws(BrokerPassword.FileError) {
                broker.password = try BrokerPassword(credentials: credentials)
            } catch {
                object.refuse("username", "has its password in \(error): correct the credential of systemd")
            }
        }
    }

    private func pemFile(_ key: String, in broker: ConfigurationObject, _ folder: String) -> String? {
        guard let text = broker.text(key) else { return nil }
        let path = Self.path(text, folder)
        do throws(ConfigurationFile.Fault) {
            let text = String(decoding: try ConfigurationFile.read(path, maximum: Self.maximumByteCount), as: UTF8.self)
            // libmosquitto opens the file at once, and finds out when it connects.
            if !text.contains("-----BEGIN ") {
                broker.refuse(key, "names \(path), which is not in PEM form: convert it")
            }
        } catch {
            broker.refuse(key, "names \(path): \(error.reason): correct the path, or the file")
        }
        return path
    }

    private static func path(_ text: String, _ folder: String) -> String { text.hasPrefix("/") ? text : folder + text }
}

extension ConfigurationObject {
    /// The shortest and the longest time between two states, in seconds.
    func intervals() -> (shortest: Duration?, longest: Duration?) {
        let (shortest, longest) = (interval("minimumInterval", from: 0), interval("maximumInterval", from: 1))
        if let shortest, let longest, shortest > longest {
            refuse("minimumInterval", "is greater than 'maximumInterval' in line \(place(of: "maximumInterval").line)")
        }
        return (shortest, longest)
    }

    private func interval(_ key: String, from least: Double) -> Duration? {
        // A state holds for three intervals, which are a day at the most.
        number(key, "a number of seconds", in: least...28_800).map { Duration(nearest: $0) }
    }
}
#endif
