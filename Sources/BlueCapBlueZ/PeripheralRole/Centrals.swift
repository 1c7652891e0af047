// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The links of centrals, as far as BlueZ reports them. Loop only.
///
/// `Device1` does not say which side made a link. A device is taken for a central if it connects while this backend has
/// its adapter and no manager of this process wanted that, or if it uses a service of this backend.
final class Centrals {
    typealias Backend = BlueZPeripheralBackend

    private struct Record {
        var identifier: PeerIdentifier
        /// Nil if there are keys from an earlier link, and nothing has shown whether this one is encrypted.
        var security: LinkSecurity?
        /// Where the daemon says so before the link's end.
        var reason: BackendFailure?
    }

    /// By the paths of their devices.
    private var records: [String: Record] = [:]
    /// The requests to end a link, until it has ended.
    private var endings: [String: [RequestID]] = [:]

    /// Whether the link of a central stands.
    func hasLink(to central: PeerIdentifier) -> Bool { records.values.contains { $0.identifier == central } }

    func security(of device: String) -> LinkSecurity? { records[device]?.security }

    // MARK: Devices

    /// A device has connected. One for input, such as a keyboard, is no central before it uses a service.
    func came(_ device: String, _ backend: isolated Backend) {
        if backend.isOn, !backend.isForInput(device) { begin(device, backend) }
    }

    /// Whether a link is being ended, at whose other end no value is wanted any more.
    func isEnding(_ device: String) -> Bool { endings[device] != nil }

    private func begin(_ device: String, _ backend: isolated Backend) {
        guard records[device] == nil, backend.session?.pairing.hasLink(to: device) == false,
            let identifier = backend.identify(device).identifier
        else { return }
        records[device] = Record(identifier: identifier, security: backend.isPaired(device) ? nil : .unencrypted)
        backend.emit(.centralConnected(backend.identify(device)))
    }

    /// A device whose link stands has other properties: its address once it is known for certain, or keys.
    func changed(_ device: String, _ set: ObjectMirror.Properties, _ backend: isolated Backend) {
        guard let record = records[device] else { return }
        // Keys that come while the link stands are those of its own pairing, which encrypted it.
        if set[Device1.paired] == true || set[Device1.bonded] == true { raise(device, to: .encrypted) }
        report(device, since: record, backend)
    }

    private func raise(_ device: String, to security: LinkSecurity) {
        let known = records[device]?.security ?? security
        records[device]?.security = max(known, security)
    }

    private func report(_ device: String, since former: Record, _ backend: isolated Backend) {
        let identifier = backend.identify(device).identifier ?? former.identifier
        records[device]?.identifier = identifier
        guard let now = records[device], now.security != former.security || identifier != former.identifier else {
            return
        }
        backend.channels.peerChanged(former.identifier, to: identifier)
        backend.emit(.centralChanged(former.identifier, backend.identify(device)))
    }

    /// A device reads, writes or subscribes, which the daemon lets it only on a link with the attribute's security.
    func uses(_ device: String, _ level: SecurityLevel?, _ backend: isolated Backend) {
        // A call that was on its way when the link ended makes no new one.
        if backend.isConnected(device) { begin(device, backend) }
        guard let record = records[device], let level, level > .open else { return }
        raise(device, to: LinkSecurity(level))
        report(device, since: record, backend)
    }

    /// The daemon says why a link ends (5.83).
    func noteReason(_ device: String, _ name: String, _ text: String) {
        let failure = BackendFailure(name: name, message: text, isTransient: true)
        records[device]?.reason = name == "org.bluez.Reason.Remote" ? failure.goodbye : failure
    }

    /// The link of a device has ended, or the daemon has forgotten the device.
    func left(_ device: String, _ backend: isolated Backend) {
        if let record = records.removeValue(forKey: device) {
            backend.channels.linkEnded(record.identifier)
            backend.emit(.centralDisconnected(record.identifier, record.reason, prepared: [:]))
        }
        for request in endings.removeValue(forKey: device) ?? [] { backend.reply(request, .success(())) }
    }

    /// All links are over for the manager.
    func forget() {
        records = [:]
        endings = [:]
    }

    // MARK: Ending

    /// Ends the link of a central. The daemon's answer may come before the device's new properties, and is awaited no
    /// longer than they are.
    func disconnect(_ central: PeerIdentifier, _ request: RequestID, _ backend: isolated Backend) {
        guard let device = records.first(where: { $0.value.identifier == central })?.key else {
            return backend.reply(request, .failure(.disconnected))
        }
        endings[device, default: []].append(request)
        backend.call(BlueZInterface.device, "Disconnect", [], at: device) { backend, result in
            guard case .failure(let error) = result else { return }
            backend.centrals.failed(request, of: device, error, backend)
        }
    }

    private func failed(_ request: RequestID, of device: String, _ error: DBusError, _ backend: isolated Backend) {
        guard let waiting = endings[device], waiting.contains(request) else { return }
        let others = waiting.filter { $0 != request }
        endings[device] = others.isEmpty ? nil : others
        backend.reply(request, .failure(.backend(BlueZFailure.failure(error))))
    }
}
#endif
