// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

/// The interfaces that every object has.
package enum StandardInterface {
    package static let properties = "org.freedesktop.DBus.Properties"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let introspectable = "org.freedesktop.DBus.Introspectable"
    package static let peer = "org.freedesktop.DBus.Peer"
}

extension BusLink {
    /// Puts interfaces on the object at a path, in place of those of the same name.
    ///
    /// Properties, Introspectable and Peer come by themselves. The object managers above announce the interfaces with
    /// InterfacesAdded. Loop only.
    package func export(_ interfaces: [ExportedInterface], at path: String) throws(DBusError) {
        loop.preconditionOnLoop()
        guard phase != .closed else { throw .disconnected }
        guard Names.isObjectPath(path) else { throw .invalidArgument("object path \(path)") }
        for interface in interfaces { try interface.check() }
        objects.add(interfaces, at: path)
        for manager in objects.managers(above: path) {
            try emitSignal(
                at: manager, interface: StandardInterface.objectManager, member: "InterfacesAdded",
                body: [.objectPath(path), ExportTree.describe(interfaces)])
        }
    }

    /// Gives every call to the object at a path to one handler, whatever interface it names, before the interfaces
    /// exported there are asked; object managers do not announce it. Only Peer is answered without the handler. Loop
    /// only.
    package func export(at path: String, _ handler: @escaping (MethodCall) -> Void) throws(DBusError) {
        loop.preconditionOnLoop()
        guard phase != .closed else { throw .disconnected }
        guard Names.isObjectPath(path) else { throw .invalidArgument("object path \(path)") }
        objects.handlers[path] = handler
    }

    /// Takes the named interfaces, or all of them, off the object at a path; the object managers above say so with
    /// InterfacesRemoved. Loop only.
    package func unexport(at path: String, interfaces names: [String]? = nil) {
        loop.preconditionOnLoop()
        if names == nil { objects.handlers[path] = nil }
        let gone = objects.remove(names, at: path)
        guard !gone.isEmpty else { return }
        for manager in objects.managers(above: path) {
            try? emitSignal(
                at: manager, interface: StandardInterface.objectManager, member: "InterfacesRemoved",
                body: [.objectPath(path), .strings(gone)])
        }
    }

    /// Makes the object at a path answer GetManagedObjects for everything below it. Loop only.
    package func exportObjectManager(at path: String) throws(DBusError) {
        loop.preconditionOnLoop()
        guard Names.isObjectPath(path) else { throw .invalidArgument("object path \(path)") }
        objects.addManager(at: path)
    }

    /// Ends an object manager; the objects below it stay. Loop only.
    package func unexportObjectManager(at path: String) {
        loop.preconditionOnLoop()
        objects.removeManager(at: path)
    }

    /// Whether an object of ours stands at the path. Loop only.
    package func isExported(_ path: String) -> Bool {
        loop.preconditionOnLoop()
        return objects.objects[path] != nil || objects.handlers[path] != nil
    }

    /// Sends a signal to everyone, or to one connection. Loop only.
    package func emitSignal(
        at path: String, interface: String, member: String, body: [DBusValue] = [], to destination: String? = nil
    ) throws(DBusError) {
        try send(.signal(path: path, interface: interface, member: member, body: body, to: destination))
    }

    /// Sends PropertiesChanged: new values, and names of properties whose values are gone. Loop only.
    package func emitPropertiesChanged(
        at path: String, interface: String, changed: [String: DBusValue], invalidated: [String] = []
    ) throws(DBusError) {
        try emitSignal(
            at: path, interface: StandardInterface.properties, member: "PropertiesChanged",
            body: [.string(interface), .properties(changed), .strings(invalidated)])
    }
}
#endif
