// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import CBlueCapDBus

// Method calls from other connections to our objects.
extension BusLink {
    func receiveCall(_ message: Message) {
        let arguments: [DBusValue]
        do throws(DBusError) {
            arguments = try message.body()
        } catch {
            MethodCall(message, arguments: [], link: self).fail(ErrorName.invalidArgs, "\(error)")
            return
        }
        let call = MethodCall(message, arguments: arguments, link: self)
        guard let path = message.path, let member = message.member else {
            return call.fail(ErrorName.invalidArgs, "no path or member")
        }
        if message.interface == StandardInterface.peer { return receivePeerCall(call, member: member) }
        if let handler = objects.handlers[path] { return handler(call) }
        guard objects.isKnown(path) else { return call.fail(ErrorName.unknownObject, "no object at \(path)") }
        switch (message.interface, member) {
        case (StandardInterface.introspectable, "Introspect"), (nil, "Introspect"):
            guard expect("", call) else { return }
            call.reply(.string(objects.introspection(of: path)))
        case (StandardInterface.objectManager, "GetManagedObjects") where objects.managers.contains(path):
            guard expect("", call) else { return }
            call.reply(objects.managed(below: path))
        case (StandardInterface.properties, _):
            receivePropertiesCall(call, path: path, member: member)
        case (let interface, _):
            receiveOwnCall(call, path: path, interface: interface, member: member)
        }
    }

    /// Answers the calls that every connection answers, whatever the object.
    private func receivePeerCall(_ call: MethodCall, member: String) {
        switch member {
        case "Ping":
            if expect("", call) { call.reply() }
        case "GetMachineId":
            guard expect("", call) else { return }
            guard let text = unsafe dbus_try_get_local_machine_id(nil) else {
                return call.fail(ErrorName.failed, "this machine has no identifier")
            }
            defer { unsafe dbus_free(text) }
            call.reply(.string(unsafe String(cString: text)))
        default:
            call.fail(ErrorName.unknownMethod, "no method \(member) in \(StandardInterface.peer)")
        }
    }

    private func receiveOwnCall(_ call: MethodCall, path: String, interface: String?, member: String) {
        let candidates = (objects.objects[path] ?? []).filter { interface == nil || $0.name == interface }
        guard !candidates.isEmpty else {
            return call.fail(ErrorName.unknownInterface, "no interface \(interface ?? "") at \(path)")
        }
        for candidate in candidates {
            guard let method = candidate.methods.first(where: { $0.name == member }) else { continue }
            if expect(method.input, call) { method.handler(call) }
            return
        }
        call.fail(ErrorName.unknownMethod, "no method \(member) at \(path)")
    }

    private func receivePropertiesCall(_ call: MethodCall, path: String, member: String) {
        let signatures = ["Get": "ss", "GetAll": "s", "Set": "ssv"]
        guard let signature = signatures[member] else {
            return call.fail(ErrorName.unknownMethod, "no method \(member) at \(path)")
        }
        guard expect(signature, call) else { return }
        let name = call.arguments[0].stringValue ?? ""
        guard let interface = objects.interface(name, at: path) else {
            return call.fail(ErrorName.unknownInterface, "no interface \(name) at \(path)")
        }
        if member == "GetAll" { return call.reply(.properties(interface.values)) }
        let propertyName = call.arguments[1].stringValue ?? ""
        guard let property = interface.property(named: propertyName), let value = property.get() else {
            return call.fail(ErrorName.unknownProperty, "no property \(propertyName) in \(name)")
        }
        if member == "Get" { return call.reply(.variant(value)) }
        guard let set = property.set else {
            return call.fail(ErrorName.propertyReadOnly, "\(propertyName) cannot be set")
        }
        guard case .variant(let wanted) = call.arguments[2], wanted.signature == property.signature else {
            return call.fail(ErrorName.invalidArgs, "\(propertyName) is of type \(property.signature)")
        }
        set(wanted, call)
    }

    /// Answers with InvalidArgs unless the call's body has the signature.
    private func expect(_ signature: String, _ call: MethodCall) -> Bool {
        let found = call.message.signature
        if found == signature { return true }
        call.fail(ErrorName.invalidArgs, "takes (\(signature)), not (\(found))")
        return false
    }
}

extension ExportTree {
    /// The XML that describes an object and names its children.
    func introspection(of path: String) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for interface in Self.standard(isManager: managers.contains(path)) + (objects[path] ?? []) {
            xml += "  <interface name=\"\(interface.name)\">\n"
            for method in interface.methods {
                xml += "    <method name=\"\(method.name)\">\n"
                xml += Self.arguments(method.input, direction: "in") + Self.arguments(method.output, direction: "out")
                xml += "    </method>\n"
            }
            for signal in interface.signals {
                xml += "    <signal name=\"\(signal.name)\">\n\(Self.arguments(signal.signature, direction: nil))"
                xml += "    </signal>\n"
            }
            for property in interface.properties {
                let access = property.set == nil ? "read" : "readwrite"
                xml += "    <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\"/>\n"
            }
            xml += "  </interface>\n"
        }
        for child in children(of: path) { xml += "  <node name=\"\(child)\"/>\n" }
        return xml + "</node>\n"
    }

    private static func arguments(_ signature: String, direction: String?) -> String {
        let codes = Array(signature.utf8)
        var position = 0
        var xml = ""
        while let end = Signature.end(of: position, in: codes.span, arrays: 0, structures: 0) {
            let type = String(decoding: codes[position..<end], as: UTF8.self)
            let suffix = direction.map { " direction=\"\($0)\"" } ?? ""
            xml += "      <arg type=\"\(type)\"\(suffix)/>\n"
            position = end
        }
        return xml
    }

    /// The introspection data of the standard interfaces; calls to them never reach these handlers.
    private static func standard(isManager: Bool) -> [ExportedInterface] {
        var introspectable = ExportedInterface(StandardInterface.introspectable)
        introspectable.method("Introspect", out: "s") { _ in }
        var properties = ExportedInterface(StandardInterface.properties)
        properties.method("Get", in: "ss", out: "v") { _ in }
        properties.method("GetAll", in: "s", out: "a{sv}") { _ in }
        properties.method("Set", in: "ssv") { _ in }
        properties.signal("PropertiesChanged", "sa{sv}as")
        var manager = ExportedInterface(StandardInterface.objectManager)
        manager.method("GetManagedObjects", out: "a{oa{sa{sv}}}") { _ in }
        manager.signal("InterfacesAdded", "oa{sa{sv}}")
        manager.signal("InterfacesRemoved", "oas")
        return [introspectable, properties] + (isManager ? [manager] : [])
    }
}
#endif
