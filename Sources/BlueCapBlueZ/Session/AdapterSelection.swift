// SPDX-License-Identifier: MIT

/// The choice of the Bluetooth adapter that a backend uses.
///
/// Once an adapter is found, the backend keeps to it by its address, however it was chosen: its name can change when it
/// is plugged in again or bluetoothd restarts, and registrations, bonds and advertisements belong to its address. While
/// the adapter is away the state is `resetting`, even if there are others.
public enum AdapterSelection: Sendable, Hashable {
    /// The first adapter that is powered on, or else the adapter with the lowest number.
    case `default`
    /// The adapter of this name (`"hci0"`).
    case name(String)
    /// The adapter with this address (`"00:AA:01:00:00:42"`).
    case address(String)

    /// The adapter of an address, which has colons, or of a name: as settings and command lines write it.
    public init(text: String) { self = text.contains(":") ? .address(text) : .name(text) }
}

#if BlueZ && os(Linux)
import BlueCapDBus

extension AdapterSelection {
    /// The path of the adapter that is meant, among those that are there.
    ///
    /// - Parameters:
    ///   - tree: The objects.
    ///   - bound: The address of the adapter that was found before, in upper case; nil if none was.
    func choose(from tree: ObjectMirror, bound: String?) -> String? {
        let paths = tree.paths(with: BlueZInterface.adapter)
        func address(_ path: String) -> String? { tree[path, BlueZInterface.adapter]?[Adapter1.address]?.uppercased() }
        if let bound { return paths.first { address($0) == bound } }
        switch self {
        case .address(let wanted): return paths.first { address($0) == wanted.uppercased() }
        case .name(let wanted): return paths.first { BlueZPath.name(of: $0) == wanted }
        case .default:
            let ordered = paths.sorted {
                (BlueZPath.adapterIndex(of: $0) ?? .max) < (BlueZPath.adapterIndex(of: $1) ?? .max)
            }
            return ordered.first { tree[$0, BlueZInterface.adapter]?[Adapter1.powered] == true } ?? ordered.first
        }
    }
}
#endif
