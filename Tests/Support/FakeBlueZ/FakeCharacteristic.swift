// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// GattCharacteristic1 (`read-write.trace`, `notify*.trace`, `overlapping.trace`, `acquire.trace`); on the fake's
/// thread only.
final class FakeCharacteristic {
    static let interface = "org.bluez.GattCharacteristic1"

    let place: PeerAttribute?
    let path: String
    let device: FakeDevice
    private let service: String
    private let declared: FakeDatabase.Characteristic
    private var value: Bytes = []
    /// The clients that have called StartNotify.
    private var sessions: Set<String> = []
    private var isNotifying = false
    private var reads: (offset: Int, calls: [MethodCall])?
    private var write: MethodCall?
    private var subscribing: [MethodCall] = []
    private var writeSocket: PacketReader?
    private var notifySocket: PacketWriter?
    /// Whether a call for a socket stays without an answer, for as long as there is this object.
    private var isSocketForgotten = false

    init(_ declared: FakeDatabase.Characteristic, path: String, service: String, device: FakeDevice) {
        self.declared = declared
        self.path = path
        self.service = service
        self.device = device
        place = declared.place
    }

    /// The number of clients that have called StartNotify.
    var sessionCount: Int { sessions.count }

    private var canNotify: Bool { !declared.properties.isDisjoint(with: [.notify, .indicate]) }
    private var mtu: UInt16 { UInt16(device.far?.twin.mtu ?? 517) }

    func interface() -> ExportedInterface {
        var interface = ExportedInterface(Self.interface)
        let constants: [(String, DBusValue)] = [
            ("UUID", .string(declared.uuid.fullDescription)), ("Service", .objectPath(service)),
            ("Flags", .strings(declared.properties.flags)),
        ]
        for (name, value) in constants { interface.property(name, value.signature, get: { value }) }
        interface.property("Value", "ay", get: { [unowned self] in .bytes([UInt8](value)) })
        interface.property("MTU", "q", get: { [unowned self] in device.isConnected ? .uint16(mtu) : nil })
        if canNotify { interface.property("Notifying", "b", get: { [unowned self] in .bool(isNotifying) }) }
        if declared.properties.contains(.notify) {
            interface.property("NotifyAcquired", "b", get: { [unowned self] in .bool(notifySocket != nil) })
        }
        if declared.properties.contains(.writeWithoutResponse) {
            interface.property("WriteAcquired", "b", get: { [unowned self] in .bool(writeSocket != nil) })
        }
        method("ReadValue", "a{sv}", on: &interface) { $0.read($1) }
        method("WriteValue", "aya{sv}", on: &interface) { $0.write($1) }
        method("StartNotify", on: &interface) { $0.startNotify($1) }
        method("StopNotify", on: &interface) { $0.stopNotify($1) }
        method("AcquireWrite", "a{sv}", on: &interface) { $0.acquireWrite($1) }
        method("AcquireNotify", "a{sv}", on: &interface) { $0.acquireNotify($1) }
        return interface
    }

    private func method(
        _ name: String, _ input: String = "", on interface: inout ExportedInterface,
        _ body: @escaping (FakeCharacteristic, MethodCall) -> Void
    ) {
        interface.method(name, in: input) { [unowned self] call in
            device.daemon.serve(call) { [weak self] in
                // It may have been removed while the call was held back.
                guard let self else { return call.fail(.gone) }
                body(self, call)
            }
        }
    }

    private func changed(_ properties: [String: DBusValue]) { device.daemon.emit(path, Self.interface, properties) }

    private func tell(_ value: Bytes) {
        self.value = value
        changed(["Value": .bytes([UInt8](value))])
    }

    // MARK: Reading and writing

    private func read(_ call: MethodCall) {
        guard device.isConnected, device.far != nil else { return call.fail(.notConnected) }
        let offset: Int = call.arguments.first?.propertiesValue?["offset"]?.integer() ?? 0
        if var pending = reads {
            guard pending.offset == offset else { return call.fail(.inProgress) }
            pending.calls.append(call)
            reads = pending
            return
        }
        guard declared.properties.contains(.read), let place else { return call.fail(FakeFailure(.readNotPermitted)) }
        reads = (offset, [call])
        device.access(place, .read) { [weak self] error in self?.answerReads(error) }
    }

    private func answerReads(_ error: ATTError?) {
        guard let (offset, calls) = reads, let place, let far = device.far else { return }
        reads = nil
        let value = far.attribute(place).value
        if let error = error ?? (offset > value.count ? .invalidOffset : nil) {
            for call in calls { call.fail(FakeFailure(error)) }
            return
        }
        // The program's own read shows as a change of the value, before the reply (`read-while-notifying.trace`); the
        // bytes before the offset show as zeros (`long-values.trace`).
        tell(Bytes([UInt8](repeating: 0, count: offset) + value.dropFirst(offset)))
        for call in calls { call.reply(.bytes([UInt8](value.dropFirst(offset)))) }
    }

    private func write(_ call: MethodCall) {
        guard device.isConnected, let far = device.far else { return call.fail(.notConnected) }
        guard writeSocket == nil else { return call.fail(FakeFailure("NotPermitted", "Write acquired")) }
        guard let place, let bytes = call.arguments.first?.bytesValue else { return call.fail(.notSupported) }
        let value = Bytes(bytes)
        let type = call.arguments.last?.propertiesValue?["type"]?.stringValue
        guard [nil, "command", "request", "reliable"].contains(type) else { return call.fail(.notSupported) }
        let isCommand = type == "command" || type == nil && !declared.properties.contains(.write)
        if isCommand {
            guard declared.properties.contains(.writeWithoutResponse) else { return call.fail(.notSupported) }
            if far.isReachable { far.write(place, value, kind: .command) }
            return call.reply()
        }
        guard write == nil else { return call.fail(.inProgress) }
        guard declared.properties.contains(.write) else { return call.fail(FakeFailure(.writeNotPermitted)) }
        write = call
        device.access(place, .write) { [weak self] error in
            self?.answerWrite(value.count > 512 ? .invalidAttributeValueLength : error, value)
        }
    }

    private func answerWrite(_ error: ATTError?, _ value: Bytes) {
        guard let call = write, let place else { return }
        write = nil
        if let error { return call.fail(FakeFailure(error)) }
        device.far?.write(place, value, kind: .request)
        call.reply()
    }

    // MARK: Notifying

    private func startNotify(_ call: MethodCall) {
        guard canNotify, let place else { return call.fail(.notSupported) }
        guard notifySocket == nil, !isSocketForgotten else {
            return call.fail(FakeFailure("NotPermitted", "Notify acquired"))
        }
        if sessions.contains(call.sender) { return call.reply() }
        guard device.isConnected, device.far != nil else {
            // Armed for the next connection (`notify-then-disconnect.trace`).
            sessions.insert(call.sender)
            return call.reply()
        }
        subscribing.append(call)
        device.access(place, .subscribe) { [weak self] error in self?.answerStart(call, error) }
    }

    private func answerStart(_ call: MethodCall, _ error: ATTError?) {
        guard subscribing.contains(where: { $0 === call }), let place, let far = device.far else { return }
        subscribing.removeAll { $0 === call }
        if let error { return call.fail(FakeFailure(error)) }
        // Sent by the peer inside its own handler (`notify-inside-subscribe.trace`).
        if let early = far.attribute(place).valueOnSubscribe { tell(early) }
        sessions.insert(call.sender)
        subscribe(far, place)
        call.reply()
    }

    private func subscribe(_ far: FarDevice, _ place: PeerAttribute) {
        far.setSubscribed(place, true)
        if isNotifying { return }
        isNotifying = true
        changed(["Notifying": .bool(true)])
    }

    private func stopNotify(_ call: MethodCall) {
        if notifySocket != nil {
            closeNotifySocket()
            return call.reply()
        }
        guard sessions.remove(call.sender) != nil else {
            return call.fail(FakeFailure("Failed", "No notify session started"))
        }
        if sessions.isEmpty, isNotifying {
            if let place { device.far?.setSubscribed(place, false) }
            isNotifying = false
            changed(["Notifying": .bool(false)])
        }
        call.reply()
    }

    func rearm() {
        guard !sessions.isEmpty, let place, let far = device.far else { return }
        subscribe(far, place)
    }

    func valueNotified(_ value: Bytes) {
        if let notifySocket {
            _ = notifySocket.send([UInt8](value))
        } else if !sessions.isEmpty {
            tell(value)
        }
    }

    // MARK: Sockets

    private func acquireWrite(_ call: MethodCall) {
        guard device.isConnected, let place else { return call.fail(.notConnected) }
        guard declared.properties.contains(.writeWithoutResponse) else { return call.fail(.notSupported) }
        guard writeSocket == nil else { return call.fail(FakeFailure("NotPermitted", "Write acquired")) }
        do {
            let pair = try PacketPair()
            writeSocket = try PacketReader(pair.near.duplicate(), on: device.daemon.loop) { [weak self] packet in
                guard let far = self?.device.far, far.isReachable else { return }
                far.write(place, Bytes(packet), kind: .command)
            } onClose: { [weak self] _ in
                self?.writeSocket = nil
                self?.changed(["WriteAcquired": .bool(false)])
            }
            changed(["WriteAcquired": .bool(true)])
            let far = try pair.far.duplicate()
            reply(call, far)
        } catch {
            call.fail(FakeFailure("Failed", "\(error)"))
        }
    }

    private func acquireNotify(_ call: MethodCall) {
        guard device.isConnected, let place, let far = device.far else { return call.fail(.notConnected) }
        guard declared.properties.contains(.notify) else { return call.fail(.notSupported) }
        guard notifySocket == nil else { return call.fail(FakeFailure("NotPermitted", "Notify acquired")) }
        guard sessions.isEmpty else { return call.fail(.inProgress) }
        device.access(place, .subscribe) { [weak self] error in
            guard let self else { return }
            if error != nil, device.daemon.forgetsRefusedSockets {
                isSocketForgotten = true
                return device.daemon.abandon([call])
            }
            if let error { return call.fail(FakeFailure(error)) }
            do {
                let pair = try PacketPair()
                notifySocket = try PacketWriter(pair.near.duplicate(), on: device.daemon.loop) { [weak self] in
                    self?.closeNotifySocket()
                }
                far.setSubscribed(place, true)
                changed(["NotifyAcquired": .bool(true)])
                reply(call, try pair.far.duplicate())
            } catch {
                call.fail(FakeFailure("Failed", "\(error)"))
            }
        }
    }

    private func reply(_ call: MethodCall, _ descriptor: consuming FileDescriptor) {
        let descriptor = descriptor
        let mtu = mtu
        call.reply { builder throws(DBusError) in
            try builder.append(descriptor)
            try builder.append(.uint16(mtu))
        }
    }

    private func closeNotifySocket() {
        guard let socket = notifySocket else { return }
        notifySocket = nil
        socket.close()
        if let place { device.far?.setSubscribed(place, false) }
        changed(["NotifyAcquired": .bool(false)])
    }

    // MARK: Ends

    func linkLost() {
        close()
        for call in takePending() { call.fail(.linkLost) }
    }

    /// The calls that wait for the peer; they are the caller's now.
    func takePending() -> [MethodCall] {
        defer { (reads, write, subscribing) = (nil, nil, []) }
        return (reads?.calls ?? []) + [write].compactMap { $0 } + subscribing
    }

    func close() {
        writeSocket?.close()
        writeSocket = nil
        notifySocket?.close()
        notifySocket = nil
    }
}
#endif
