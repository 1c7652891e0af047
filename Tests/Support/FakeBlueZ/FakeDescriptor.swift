// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// GattDescriptor1 (`read-write.trace`); on the fake's thread only.
final class FakeDescriptor {
    static let interface = "org.bluez.GattDescriptor1"

    let path: String
    private let declared: FakeDatabase.Descriptor
    private let characteristic: FakeCharacteristic
    private var device: FakeDevice { characteristic.device }
    private var value: Bytes = []

    init(_ declared: FakeDatabase.Descriptor, path: String, of characteristic: FakeCharacteristic) {
        self.declared = declared
        self.path = path
        self.characteristic = characteristic
    }

    /// The interface keeps this object: nothing else needs to.
    func interface() -> ExportedInterface {
        var interface = ExportedInterface(Self.interface)
        let constants: [(String, DBusValue)] = [
            ("UUID", .string(declared.uuid.fullDescription)), ("Characteristic", .objectPath(characteristic.path)),
        ]
        for (name, value) in constants { interface.property(name, value.signature, get: { value }) }
        interface.property("Value", "ay", get: { .bytes([UInt8](self.value)) })
        interface.method("ReadValue", in: "a{sv}") { call in
            self.device.daemon.serve(call) { self.read(call) }
        }
        interface.method("WriteValue", in: "aya{sv}") { call in
            self.device.daemon.serve(call) { self.write(call) }
        }
        return interface
    }

    private func read(_ call: MethodCall) {
        guard device.isConnected, let far = device.far else { return call.fail(.notConnected) }
        guard let place = declared.place else { return answer(call, [0, 0]) }
        device.access(place, .read) { [self] error in
            if let error { return call.fail(FakeFailure(error)) }
            answer(call, far.attribute(place).value)
        }
    }

    private func answer(_ call: MethodCall, _ value: Bytes) {
        self.value = value
        device.daemon.emit(path, Self.interface, ["Value": .bytes([UInt8](value))])
        call.reply(.bytes([UInt8](value)))
    }

    private func write(_ call: MethodCall) {
        guard device.isConnected, let far = device.far else { return call.fail(.notConnected) }
        // Subscriptions are the daemon's own business.
        guard declared.uuid != "2902", let place = declared.place, let bytes = call.arguments.first?.bytesValue else {
            return call.fail(FakeFailure("NotPermitted", "Operation not permitted"))
        }
        device.access(place, .write) { error in
            if let error { return call.fail(FakeFailure(error)) }
            far.write(place, Bytes(bytes), kind: .request)
            call.reply()
        }
    }
}
#endif
