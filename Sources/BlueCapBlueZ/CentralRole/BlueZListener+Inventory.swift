// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapDBus

extension BlueZListener {
    /// Returns all adapters that bluetoothd shows, in the order of their numbers, whichever one this listener was made
    /// for.
    ///
    /// - Throws: `.unauthorized` where the bus refuses this user; `.powerOnTimeout` where there is no bluetoothd;
    ///   `.backend`; `.cancelled`.
    public func adapters() async throws(CentralManagerError) -> [BlueZAdapter] {
        let session = try await ready()
        let paths = session.tree.paths(with: BlueZInterface.adapter)
            .sorted { (BlueZPath.adapterIndex(of: $0) ?? .max, $0) < (BlueZPath.adapterIndex(of: $1) ?? .max, $1) }
        var adapters: [BlueZAdapter] = []
        for path in paths {
            let properties = await properties(of: path, BlueZInterface.adapter)
            // An adapter that was unplugged meanwhile has none.
            guard let address = properties[Adapter1.address] else { continue }
            let advertising = session.tree[path, BlueZInterface.advertisingManager]
            let active = (advertising?[LEAdvertisingManager1.activeInstances]).map { Int($0) }
            let free = (advertising?[LEAdvertisingManager1.supportedInstances]).map { Int($0) }
            adapters.append(
                BlueZAdapter(
                    name: String(BlueZPath.name(of: path)), address: address,
                    alias: properties[Adapter1.alias] ?? address, isPowered: properties[Adapter1.powered] ?? false,
                    isDiscovering: properties[Adapter1.discovering] ?? false,
                    isPairable: properties[Adapter1.pairable] ?? false, roles: properties[Adapter1.roles] ?? [],
                    advertisementCount: active,
                    // BlueZ counts those that are free (LEAdvertisingManager1.SupportedInstances).
                    advertisementCapacity: free.map { $0 + (active ?? 0) },
                    version: session.tree.version(ofAdapter: path)?.description))
        }
        return adapters
    }

    /// Returns the devices that the adapter is paired with, in the order of their addresses.
    ///
    /// - Throws: `.unauthorized` where the bus refuses this user; `.powerOnTimeout` where there is no bluetoothd or no
    ///   such adapter; `.backend`; `.cancelled`.
    public func bonds() async throws(CentralManagerError) -> [BondedPeer] {
        let bonds = devices(in: try await ready())
        guard let bonds else { throw .powerOnTimeout }
        return bonds.compactMap { facts in
            guard facts.isBonded, let identifier = facts.identifier else { return nil }
            return BondedPeer(identifier: identifier, name: facts.name, isConnected: facts.isConnected)
        }.sorted { $0.identifier.text < $1.identifier.text }
    }

    /// Returns the identifiers and the names of the devices that bluetoothd knows: those that it received lately and
    /// those that it is paired with.
    ///
    /// - Parameter patience: How long bluetoothd may take.
    /// - Throws: As ``bonds()``.
    package func knownPeers(
        within patience: Duration
    ) async throws(CentralManagerError) -> [(identifier: PeerIdentifier, name: String?)] {
        let known = devices(in: try await ready(within: patience)) ?? []
        return known.compactMap { facts in facts.identifier.map { ($0, facts.name) } }
    }

    /// The devices of the adapter; nil where there is no adapter.
    private func devices(in session: BlueZSession) -> [DeviceFacts]? {
        selection.choose(from: session.tree, bound: nil).map { adapter in
            session.tree.children(of: adapter, with: BlueZInterface.device).compactMap { path in
                session.tree[path, BlueZInterface.device].map { DeviceFacts($0) }
            }
        }
    }
}

/// A device that this machine is paired with, as bluetoothd knows it.
public struct BondedPeer: Sendable, Hashable {
    /// The address of the device: its identity address if it uses private ones.
    public var identifier: PeerIdentifier
    /// The name that the device gives itself, or the alias that a user gave it.
    public var name: String?
    /// A Boolean value that is true if some program is connected to the device.
    public var isConnected: Bool
}
#endif
