#if BlueZ && os(Linux)
import BlueCapCore

/// What the devices advertise, read from their properties once and renewed by what changes.
struct AdvertisementTable {
    private var known: [String: PeripheralAdvertisements] = [:]

    /// What a device of the mirror advertises; nothing for one that is not there.
    mutating func advertisements(of path: String, in tree: ObjectTree) -> PeripheralAdvertisements {
        if let known = known[path] { return known }
        guard let properties = tree[path, BlueZInterface.device] else { return PeripheralAdvertisements() }
        let new = PeripheralAdvertisements(properties)
        known[path] = new
        return new
    }

    /// Takes in a change that the mirror has taken in.
    mutating func apply(_ change: TreeChange) {
        switch change {
        case .changed(let path, BlueZInterface.device, let set, let invalidated):
            known[path]?.renew(set, without: invalidated)
        case .removed(let path, BlueZInterface.device, _): known[path] = nil
        case .changed, .removed, .added: break
        }
    }
}
#endif
