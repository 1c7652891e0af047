/// What of a message is compared: not what differs from run to run.
extension Trace.Message {
    private static let standard = "org.freedesktop.DBus."
    /// Properties that follow the packets on the air, which come when they come.
    private static let airProperties: Set<String> = [
        "RSSI", "TxPower", "ManufacturerData", "ServiceData", "AdvertisingFlags", "AdvertisingData", "Name", "Alias",
    ]

    /// The sequence in which it stands: order is compared within one object, and the adapter's signals, which follow the
    /// kernel, are not ordered against its replies.
    var sequence: String {
        let object = name.hasPrefix(Self.standard + "ObjectManager.Interfaces") ? body.list?.first?.text ?? path : path
        let isReply = name.hasPrefix("return") || name.hasPrefix("error")
        return object.contains("/dev_") || !isReply ? object : object + " replies"
    }

    /// The message as lines; none for one that is not compared.
    ///
    /// A change of several properties is a line for each: the daemon merges what changes in one turn of its loop, and it
    /// is chance whether two changes fall into one.
    var normal: [String] {
        // Generic Attribute is the daemon's own: its values are of this run.
        if sequence.contains("/service0006") { return [] }
        // The texts of D-Bus's own errors are the library's.
        if name.hasPrefix("error=" + Self.standard) { return [name] }
        // Digits are of this run.
        if name.hasPrefix("call org.bluez.Agent1.") {
            return ["\(name) \((body.list ?? []).filter { $0.integer == nil }.map(\.canonical))"]
        }
        switch name {
        case Self.standard + "Properties.PropertiesChanged": return normalChange
        case Self.standard + "ObjectManager.InterfacesAdded": return [normalAddition]
        case Self.standard + "ObjectManager.InterfacesRemoved": return [normalRemoval]
        case "return " + Self.standard + "ObjectManager.GetManagedObjects": return [name]
        default: return ["\(name) \(body.canonical)"]
        }
    }

    private var normalChange: [String] {
        guard let list = body.list, list.count == 3, let interface = list[0].text, let changed = list[1].object,
            let invalidated = list[2].list
        else { return ["unreadable \(body.canonical)"] }
        let isAir = interface == "org.bluez.Device1"
        // Pairable is so while any program has an agent, that of the test before included.
        let kept = changed.filter { (!isAir || !Self.airProperties.contains($0.key)) && $0.key != "Pairable" }
        let gone = invalidated.compactMap(\.text).filter { !isAir || !Self.airProperties.contains($0) }
        // The order in which a link ends: first the services, then the connection.
        return kept.sorted { $0.key > $1.key }.map { "changed \(interface).\($0.key) \($0.value.canonical)" }
            + gone.sorted().map { "invalidated \(interface).\($0)" }
    }

    private var normalAddition: String {
        let interfaces = (body.list?.last?.object ?? [:]).filter { !$0.key.hasPrefix(Self.standard) }
        let kept = interfaces.mapValues { properties in
            JSONValue.object((properties.object ?? [:]).filter { !Self.airProperties.contains($0.key) })
        }
        return "added \(JSONValue.object(kept).canonical)"
    }

    private var normalRemoval: String {
        let names = (body.list?.last?.list ?? []).compactMap(\.text).filter { !$0.hasPrefix(Self.standard) }
        return "removed \(names.sorted())"
    }
}
