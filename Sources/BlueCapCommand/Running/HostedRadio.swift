// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCap
import BlueCapRuntime

/// The radio that this program shares, where it is the first at a path.
enum HostedRadio {
    private static let shared = Locked(SharedRadio?.none)

    /// The peripheral role on the radio that another program shares at a path or, where none does, on one that this
    /// program shares from now on.
    static func peripheral(at path: String, seed: UInt64) -> any PeripheralBackend {
        let radio = VirtualRadio(seed: seed)
        do throws(BackendFailure) {
            let sharing = try radio.share(at: path)
            shared.withLock { $0 = sharing }
            return radio.peripheral()
        } catch {
            if error.name == "SharedRadio.InUse" { return SharedPeripheralBackend(at: path) }
            return UnavailablePeripheralBackend(failure: error)
        }
    }

    /// Ends the sharing, and removes the socket.
    static func leave() {
        let sharing = shared.withLock { shared in
            defer { shared = nil }
            return shared
        }
        sharing?.stop()
    }
}
#endif
