// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The identifiers of an adapter's devices, and the devices of identifiers.
///
/// A device's path holds the address that it had when BlueZ met it, which mostly is its identifier. This table has the
/// exceptions: after pairing BlueZ replaces the address and keeps the path. Such a device goes by the identifier that
/// it had first, and is found by either.
struct DeviceNames {
    /// By path.
    private var identifiers: [String: PeerIdentifier] = [:]
    private var paths: [PeerIdentifier: String] = [:]

    /// Whether each device goes by the address in its path.
    var isEmpty: Bool { identifiers.isEmpty }

    /// Takes in the address of a device.
    ///
    /// - Parameter isNew: Whether the device has just appeared, and not had another one.
    mutating func learn(_ path: String, _ address: PeerIdentifier, isNew: Bool) {
        let old = BlueZPath.address(of: path)
        if address == old { return }
        if identifiers[path] == nil { identifiers[path] = isNew ? address : old ?? address }
        paths[address] = path
    }

    /// Forgets a device, with the address that it had last.
    mutating func forget(_ path: String, _ address: PeerIdentifier?) {
        if identifiers.isEmpty { return }
        if let identifier = identifiers.removeValue(forKey: path) { paths[identifier] = nil }
        if let address, paths[address] == path { paths[address] = nil }
    }

    /// The identifier of a device whose path does not say it; nil for any other.
    func identifier(of path: String) -> PeerIdentifier? { identifiers[path] }

    /// The path of the device that an identifier may stand for on an adapter, whether it is there or not.
    func path(of identifier: PeerIdentifier, on adapter: String) -> String? {
        if let path = paths[identifier] { return path }
        guard let path = BlueZPath.device(identifier, adapter: adapter) else { return nil }
        // It has another name where the address in the path is not its own.
        guard let other = identifiers[path] else { return path }
        return other == identifier ? path : nil
    }
}
#endif
