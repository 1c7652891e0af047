// SPDX-License-Identifier: MIT

/// The part of a message that is compared, without the parts that differ from run to run.
extension Trace.Message {
    private static let standard = "org.freedesktop.DBus."

    /// The sequence to which the message belongs. Order is compared within one object; the adapter's signals, which
    /// follow the kernel, are not ordered against its replies. A far device's battery is a sequence of its own:
    /// bluetoothd reads the level while it resolves the services, and signals additions of one turn of its loop before
    /// the changes of that turn.
    var sequence: String {
        let object = name.hasPrefix(Self.standard + "ObjectManager.Interfaces") ? body.list?.first?.text ?? path : path
        if isOfBattery { return object + " battery" }
        let isReply = name.hasPrefix("return") || name.hasPrefix("error")
        return object.contains("/dev_") || !isReply ? object : object + " replies"
    }

    private var isOfBattery: Bool {
        let interfaces: [String?] =
            switch name {
            case Self.standard + "ObjectManager.InterfacesAdded": (body.list?.last?.object ?? [:]).map(\.key)
            case Self.standard + "Properties.PropertiesChanged": [body.list?.first?.text]
            default: []
            }
        return interfaces == ["org.bluez.Battery1"]
    }

    /// The message as lines; empty if it is not compared.
    ///
    /// A change of several properties is a line for each, and so is an addition of several interfaces of an adapter:
    /// the daemon merges the changes of one turn of its loop, and it is chance whether two changes fall into one.
    ///
    /// - Parameter alternatives: Texts between which the daemon chooses at random.
    func normal(alternatives: [String] = []) -> [String] {
        // Generic Attribute is the daemon's own: its values differ from run to run.
        if sequence.contains("/service0006") { return [] }
        if TraceAdditions.has(message: name) || TraceAdditions.has(message: name, of: sequence) { return [] }
        // The bus's answer for a missing daemon depends on whether the bus may start one.
        if ["Spawn.", "ServiceUnknown", "NameHasNoOwner"].contains(where: {
            name.hasPrefix("error=\(Self.standard)Error.\($0)")
        }) {
            return ["error of the bus \(name.split(separator: " ").last ?? "")"]
        }
        // The texts of D-Bus's own errors are the library's.
        if name.hasPrefix("error=" + Self.standard) { return [name] }
        // Digits differ from run to run.
        if name.hasPrefix("call org.bluez.Agent1.") {
            return ["\(name) \((body.list ?? []).filter { $0.integer == nil }.map(\.canonical))"]
        }
        switch name {
        case Self.standard + "Properties.PropertiesChanged": return normalChange
        case Self.standard + "ObjectManager.InterfacesAdded": return normalAddition
        case Self.standard + "ObjectManager.InterfacesRemoved": return normalRemoval
        case "return " + Self.standard + "ObjectManager.GetManagedObjects": return [name] + normalObjects
        case "return org.bluez.Adapter1.GetDiscoveryFilters":
            return ["\(name) \(TraceAdditions.withoutAdditions(discoveryFilters: body).canonical)"]
        default:
            let isEither = body.list?.first?.text.map(alternatives.contains) ?? false
            return ["\(name) \(isEither ? "\(alternatives)" : body.canonical)"]
        }
    }

    private var normalChange: [String] {
        guard let list = body.list, list.count == 3, let interface = list[0].text, let changed = list[1].object,
            let invalidated = list[2].list
        else { return ["unreadable \(body.canonical)"] }
        if TraceAdditions.has(interface: interface) { return [] }
        let isAir = interface == "org.bluez.Device1"
        // Pairable is true while any program has an agent, the program of the test before included.
        let kept = changed.filter {
            (!isAir || !Self.airProperties.contains($0.key)) && $0.key != "Pairable"
                && !TraceAdditions.has($0.key, of: interface)
                && !(interface == Self.adapter && $0.key == "Alias" && Self.isOwnName($0.value))
        }
        let gone = invalidated.compactMap(\.text).filter { !isAir || !Self.airProperties.contains($0) }
        // The order in which a link ends: first the services, then the connection.
        return kept.sorted { $0.key > $1.key }.map { name, value in
            let compared = TraceAdditions.without(value, property: name, of: interface)
            return "changed \(interface).\(name) \(compared.canonical)"
        }
            + gone.sorted().map { "invalidated \(interface).\($0)" }
    }

    /// Whether it is bluetoothd's own name of an adapter, which it signals now and then.
    private static func isOwnName(_ value: JSONValue) -> Bool { value["s"]?.text?.hasPrefix("BlueZ ") == true }

    private var normalAddition: [String] {
        let interfaces = (body.list?.last?.object ?? [:])
            .filter { !$0.key.hasPrefix(Self.standard) && !TraceAdditions.has(interface: $0.key) }
        if sequence.contains("/dev_") {
            let kept = [String: JSONValue](
                uniqueKeysWithValues: interfaces.map { name, properties in
                    (name, Self.compared(properties, of: name) { !Self.airProperties.contains($0) })
                })
            return Self.resolvedLater(kept)
        }
        // The last of an adapter's comes with the others or after them.
        let last = "org.bluez.LEAdvertisingManager1"
        let added = interfaces.sorted { $1.key == last || $0.key != last && $0.key < $1.key }.map { name, properties in
            let kept = Self.compared(properties, of: name) {
                !Self.airProperties.contains($0) && !(name == Self.adapter && Self.power.contains($0))
            }
            return "added \(name) \(kept.canonical)"
        }
        // It is chance whether an adapter comes powered or is powered right after.
        guard let power = interfaces[Self.adapter]?.object?.filter({ Self.power.contains($0.key) }),
            power["Powered"] == .object(["b": .bool(true)])
        else { return added }
        return added
            + power.sorted { $0.key > $1.key }.map { "changed \(Self.adapter).\($0.key) \($0.value.canonical)" }
    }

    private static func compared(
        _ properties: JSONValue, of interface: String, where isKept: (String) -> Bool
    ) -> JSONValue {
        var kept: [String: JSONValue] = [:]
        for (name, value) in properties.object ?? [:] where isKept(name) && !TraceAdditions.has(name, of: interface) {
            kept[name] = TraceAdditions.without(value, property: name, of: interface)
        }
        return .object(kept)
    }

    /// An addition as lines: it is chance whether the services of a central's device are resolved when its object
    /// comes, or right after.
    private static func resolvedLater(_ interfaces: [String: JSONValue]) -> [String] {
        let device = "org.bluez.Device1"
        let resolved = JSONValue.object(["b": .bool(true)])
        guard var properties = interfaces[device]?.object, properties["ServicesResolved"] == resolved,
            let services = properties["UUIDs"]
        else { return ["added \(JSONValue.object(interfaces).canonical)"] }
        properties["ServicesResolved"] = .object(["b": .bool(false)])
        properties["UUIDs"] = .object(["as": .list([])])
        let added = interfaces.merging([device: .object(properties)]) { $1 }
        return [
            "added \(JSONValue.object(added).canonical)", "changed \(device).UUIDs \(services.canonical)",
            "changed \(device).ServicesResolved \(resolved.canonical)",
        ]
    }

    /// All objects, a line for each interface.
    ///
    /// Left out are other adapters, the devices of earlier tests, which the daemon forgets at any time, additions of
    /// newer daemons, Generic Attribute, which is the daemon's own, and everything that depends on the profiles of the
    /// daemon's build: the codecs of Media1, and NetworkServer1, which Debian's has until 5.82.
    private var normalObjects: [String] {
        (body.list?.first?.object ?? [:]).sorted { $0.key < $1.key }.flatMap { path, interfaces -> [String] in
            guard Self.isCompared(path) else { return [] }
            return (interfaces.object ?? [:]).sorted { $0.key < $1.key }.compactMap { name, properties in
                if name.hasPrefix(Self.standard) || TraceAdditions.has(interface: name) { return nil }
                if name == "org.bluez.NetworkServer1" { return nil }
                let kept = Self.compared(properties, of: name) {
                    name != "org.bluez.Media1" && (name != Self.adapter || !Self.ownOfAdapter.contains($0))
                }
                return "object \(path) \(name) \(kept.canonical)"
            }
        }
    }

    private static func isCompared(_ path: String) -> Bool {
        if path.contains("/service0001") || path.contains("/service0006") { return false }
        if path.hasPrefix("/org/bluez/hci"), !path.hasPrefix("/org/bluez/hci0") { return false }
        return !path.contains("/dev_") || path.contains("/dev_C0_00_00_00_00_0")
    }

    /// The properties that differ between adapters and runs: the names and the number identify the daemon, and
    /// `Pairable` depends on whether any program has an agent.
    private static let ownOfAdapter: Set<String> = ["Name", "Alias", "Modalias", "Pairable"]

    private static let adapter = "org.bluez.Adapter1"
    private static let power: Set<String> = ["Powered", "PowerState"]

    private var normalRemoval: [String] {
        let names = (body.list?.last?.list ?? []).compactMap(\.text)
            .filter { !$0.hasPrefix(Self.standard) && !TraceAdditions.has(interface: $0) }
        return names.isEmpty ? [] : ["removed \(names.sorted())"]
    }
}
