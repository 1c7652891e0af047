// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Devices to connect to that BlueZ does not know, or has forgotten: it connects only to devices that it has an object
// for, which discovery makes. So a quiet discovery runs until each was heard. It reports devices only to a manager that
// scans.
extension BlueZCentralBackend {
    /// Looks for a device until it is heard, then connects to it.
    func seek(_ peripheral: PeerIdentifier) {
        sought.insert(peripheral)
        updateSearch()
    }

    /// Ends the search for a device, and reports it as an attempt that was cancelled.
    ///
    /// - Returns: Whether there was a search, or its end is about to be reported.
    func stopSeeking(_ peripheral: PeerIdentifier) -> Bool {
        guard sought.remove(peripheral) != nil else { return takenBack.contains(peripheral) }
        updateSearch()
        takenBack.insert(peripheral)
        later {
            // Power that went off meanwhile has ended it.
            if $0.takenBack.remove(peripheral) != nil { $0.emit(.connectFailed(peripheral, .disconnected)) }
        }
        return true
    }

    /// An object has appeared for a device: connects if it is sought.
    func found(_ path: String) {
        guard let peripheral = sought.first(where: { device(of: $0) == path }) else { return }
        sought.remove(peripheral)
        updateSearch()
        // An object without a signal strength was made by another program, or read from the disk.
        if facts(path)?.isSighted == true { emit(.peripheralHeard(peripheral)) }
        beginLink(peripheral, path)
    }

    /// Passes the searches to the shared discovery.
    func updateSearch() {
        guard let adapter, state == .poweredOn else { return }
        session?.discovery(on: adapter).seek(sought, for: number, failed: callback { $0.searchFailed($1) })
    }

    private func searchFailed(_ error: DBusError) {
        if case .remote(BlueZError.notReady, _) = error {
            // Power is going off, which is reported after this; if it is not, the search goes on.
            after(.seconds(1)) { $0.updateSearch() }
            return
        }
        let failed = sought.sorted()
        sought = []
        for peripheral in failed { emit(.connectFailed(peripheral, .backend(BlueZFailure.failure(error)))) }
    }
}
#endif
