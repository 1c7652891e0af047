// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// One interface of an object of our own: its methods, properties and signals. Its closures run on the loop.
package struct ExportedInterface {
    struct Method {
        let name: String
        let input: String
        let output: String
        let handler: (MethodCall) -> Void
    }

    struct Property {
        let name: String
        let signature: String
        let get: () -> DBusValue?
        let set: ((DBusValue, MethodCall) -> Void)?
    }

    struct Signal {
        let name: String
        let signature: String
    }

    package let name: String
    private(set) var methods: [Method] = []
    private(set) var properties: [Property] = []
    private(set) var signals: [Signal] = []

    package init(_ name: String) { self.name = name }

    /// Adds a method that takes a body of signature `input`; anything else is refused with InvalidArgs unseen.
    ///
    /// The handler answers the call now or later, once. `output` is only for introspection.
    package mutating func method(
        _ name: String, in input: String = "", out output: String = "", _ handler: @escaping (MethodCall) -> Void
    ) {
        methods.append(Method(name: name, input: input, output: output, handler: handler))
    }

    /// Adds a property. While `get` gives nil the object has no such property. Without `set` it is read-only; with it,
    /// `set` gets values of the right signature only and answers the call.
    package mutating func property(
        _ name: String, _ signature: String, get: @escaping () -> DBusValue?,
        set: ((DBusValue, MethodCall) -> Void)? = nil
    ) {
        properties.append(Property(name: name, signature: signature, get: get, set: set))
    }

    /// Mentions a signal to introspection.
    package mutating func signal(_ name: String, _ signature: String = "") {
        signals.append(Signal(name: name, signature: signature))
    }

    func property(named name: String) -> Property? { properties.first { $0.name == name } }

    /// The properties that exist at this moment.
    var values: [String: DBusValue] {
        var values: [String: DBusValue] = [:]
        for property in properties { values[property.name] = property.get() }
        return values
    }

    func check() throws(DBusError) {
        guard Names.isInterface(name) else { throw .invalidArgument("interface \(name)") }
        for method in methods {
            guard Names.isMember(method.name), Signature.isValid(method.input), Signature.isValid(method.output) else {
                throw .invalidArgument("method \(method.name)")
            }
        }
        for property in properties {
            guard Names.isMember(property.name), Signature.isSingle(property.signature) else {
                throw .invalidArgument("property \(property.name)")
            }
        }
        for signal in signals {
            guard Names.isMember(signal.name), Signature.isValid(signal.signature) else {
                throw .invalidArgument("signal \(signal.name)")
            }
        }
    }
}
#endif
