// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// The signals of programs about their registered objects.
extension FakeServer {
    /// Follows the properties that programs change on their objects.
    func watch() throws(DBusError) {
        let properties = StandardInterface.properties
        daemon.link.addMatch(try MatchRule(interface: properties, member: "PropertiesChanged")) { _ in }
        daemon.link.onSignal(.all, interface: properties) { [weak self] in self?.changed($0) }
        let manager = StandardInterface.objectManager
        daemon.link.addMatch(try MatchRule(interface: manager, member: "InterfacesRemoved")) { _ in }
        daemon.link.onSignal(.all, interface: manager) { [weak self] in self?.removed($0) }
    }

    private func changed(_ signal: Message) {
        guard let body = try? signal.body(expecting: "sa{sv}as"), let path = signal.path,
            let client = signal.sender, let set = body[1].propertiesValue
        else { return }
        if body[0].stringValue == Self.advertisement {
            guard let index = advertisements.firstIndex(where: { $0.path == path && $0.client == client })
            else { return }
            advertisements[index].properties.merge(set) { $1 }
            for name in body[2].stringsValue ?? [] { advertisements[index].properties[name] = nil }
        } else if let value = set["Value"]?.bytesValue, let object = object(at: path, of: client) {
            for central in daemon.farCentrals { central.valueChanged(Bytes(value), of: object) }
        }
    }

    /// A service goes with its object, and so do its characteristics and descriptors.
    private func removed(_ signal: Message) {
        guard let body = try? signal.body(expecting: "oas"), let path = body[0].objectPathValue,
            body[1].stringsValue?.contains(BlueZ.service) == true,
            let index = applications.firstIndex(where: { $0.root == signal.path && $0.client == signal.sender })
        else { return }
        var gone = applications[index]
        gone.objects.removeAll { $0.path != path && !$0.path.hasPrefix(path + "/") }
        applications[index].objects.removeAll { object in gone.objects.contains { $0 === object } }
        for object in gone.objects { object.closeSockets() }
        databaseChanged(by: gone)
    }
}
#endif
