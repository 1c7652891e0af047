// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapRuntime

/// The beginning of a backend or a listener: the process's session on a bus, or the reason why there is none.
struct SessionOpening {
    let session: BlueZSession?
    /// Why there is no session; nil where there is one.
    let failure: BackendFailure?
    /// The session's loop; without a session a queue of its own, on which the failure is reported.
    let executor: any BackendExecutor

    /// Finds the session on a bus, and makes it where it is the first.
    ///
    /// - Parameter bus: The D-Bus address of the bus; nil for the system bus.
    init(bus: String?) {
        do throws(DBusError) {
            let address = if let bus { try BusAddress(bus) } else { try BusAddress.system() }
            let session = try BlueZSession.shared(at: address)
            self.session = session
            failure = nil
            executor = session.loop
        } catch {
            session = nil
            failure = BlueZFailure.failure(error)
            executor = DispatchBackendExecutor(label: "bluecap.bluez")
        }
    }
}
#endif
