/// Which Bluetooth adapter a backend uses.
public enum AdapterSelection: Sendable, Hashable {
    /// The first adapter that is powered on, or else the one with the lowest number.
    case `default`
    /// The adapter of this name (`"hci0"`) at the time it is first found. Names move when adapters are plugged in and out,
    /// so from then on the same adapter is meant by its address.
    case name(String)
    /// The adapter with this address (`"00:AA:01:00:00:42"`).
    case address(String)
}

#if BlueZ && os(Linux) && canImport(CDBus)
import DBus

extension AdapterSelection {
    /// The path of the adapter that is meant, among those that are there.
    ///
    /// - Parameters:
    ///   - tree: The objects.
    ///   - bound: The address of the adapter that was found first, for a selection by name.
    func choose(from tree: ObjectTree, bound: String?) -> String? {
        let paths = tree.paths(with: BlueZInterface.adapter)
        func address(_ path: String) -> String? {
            tree[path, BlueZInterface.adapter]?["Address"]?.stringValue?.uppercased()
        }
        switch self {
        case .address(let wanted): return paths.first { address($0) == wanted.uppercased() }
        case .name(let wanted):
            if let bound { return paths.first { address($0) == bound } }
            return paths.first { BlueZPath.name(of: $0) == wanted }
        case .default:
            if let bound, let same = paths.first(where: { address($0) == bound }) { return same }
            let ordered = paths.sorted {
                (BlueZPath.adapterIndex(of: $0) ?? .max) < (BlueZPath.adapterIndex(of: $1) ?? .max)
            }
            return ordered.first { tree[$0, BlueZInterface.adapter]?["Powered"]?.boolValue == true } ?? ordered.first
        }
    }
}
#endif
