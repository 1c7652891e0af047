// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The search for devices to connect to that BlueZ does not know, or has forgotten: it connects only to devices that it
/// has an object for, which discovery makes. So a quiet discovery runs until each was heard. It reports devices only to
/// a manager that scans.
///
/// The same discovery runs beside the attempt to connect to a device that an attempt before has not met: Linux
/// (reported of 6.15 and later) meets a bonded device with a private address only while some discovery runs. Loop only.
final class DeviceSearch {
    typealias Backend = BlueZCentralBackend

    private var sought: Set<PeerIdentifier> = []
    /// The devices that the last attempt has not met, the latest last.
    private var unmet: [PeerIdentifier] = []
    private static let unmetLimit = 256
    /// Those of them that an attempt is under way to.
    private var accompanied: Set<PeerIdentifier> = []
    /// The peripherals whose search has ended, which is about to be reported.
    private var takenBack: Set<PeerIdentifier> = []

    /// Looks for a device until it is heard, then connects to it.
    func begin(_ peripheral: PeerIdentifier, _ backend: isolated Backend) {
        sought.insert(peripheral)
        update(backend)
    }

    /// Ends the search for a device, and reports it as an attempt that was cancelled.
    ///
    /// - Returns: Whether there was a search, or its end is about to be reported.
    func end(_ peripheral: PeerIdentifier, _ backend: isolated Backend) -> Bool {
        guard sought.remove(peripheral) != nil else { return takenBack.contains(peripheral) }
        update(backend)
        takenBack.insert(peripheral)
        backend.later {
            // Power that went off meanwhile has ended it.
            if $0.search.takenBack.remove(peripheral) != nil { $0.emit(.connectFailed(peripheral, .disconnected)) }
        }
        return true
    }

    /// Ends the search for all devices without a report.
    func endAll(_ backend: isolated Backend) {
        reset()
        update(backend)
    }

    /// Forgets all devices, as the radio is off.
    func reset() {
        sought = []
        accompanied = []
        takenBack = []
    }

    // MARK: Beside attempts

    /// `Connect` is called for a device.
    func attemptBegan(_ peripheral: PeerIdentifier, _ backend: isolated Backend) {
        guard unmet.contains(peripheral), accompanied.insert(peripheral).inserted else { return }
        update(backend)
    }

    /// `Connect` has an answer, or is waited for no more.
    func attemptEnded(_ peripheral: PeerIdentifier, _ backend: isolated Backend) {
        if accompanied.remove(peripheral) != nil { update(backend) }
    }

    /// An attempt has ended in which nobody was met.
    func hasNotMet(_ peripheral: PeerIdentifier) {
        forgetUnmet(peripheral)
        unmet.append(peripheral)
        if unmet.count > Self.unmetLimit { unmet.removeFirst() }
    }

    /// The device can be met without a discovery, as far as is known.
    func forgetUnmet(_ peripheral: PeerIdentifier) { unmet.removeAll { $0 == peripheral } }

    // MARK: The search

    /// An object has appeared for a device: connects if it is sought.
    func found(_ path: String, _ backend: isolated Backend) {
        guard let peripheral = sought.first(where: { backend.device(of: $0) == path }) else { return }
        sought.remove(peripheral)
        forgetUnmet(peripheral)
        update(backend)
        // An object without a signal strength was made by another program, or read from the disk.
        if backend.facts(path)?.isSighted == true { backend.emit(.peripheralHeard(peripheral)) }
        backend.beginLink(peripheral, path)
    }

    /// Passes the searches to the shared discovery.
    private func update(_ backend: isolated Backend) {
        guard let adapter = backend.adapter, backend.state == .poweredOn else { return }
        backend.session?.discovery(on: adapter).seek(
            sought.union(accompanied), for: backend.number, failed: backend.callback { $0.search.failed($1, $0) })
    }

    private func failed(_ error: DBusError, _ backend: isolated Backend) {
        if case .remote(BlueZError.notReady, _) = error {
            // Power is going off, which is reported after this; if it is not, the search goes on.
            backend.after(.seconds(1)) { $0.search.update($0) }
            return
        }
        let failed = sought.sorted()
        // An attempt goes on without its discovery.
        (sought, accompanied) = ([], [])
        for peripheral in failed { backend.emit(.connectFailed(peripheral, .backend(BlueZFailure.failure(error)))) }
    }
}
#endif
