// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapDBus

extension BlueZListener {
    /// Asks whether this process may connect to devices, by a call that connects to none.
    ///
    /// A policy of the bus, of AppArmor or of SELinux may let a process scan and not connect. The call is `Connect` of
    /// a device that there cannot be: the policy refuses it, or bluetoothd says that there is no such device.
    ///
    /// - Returns: The refusal; nil where bluetoothd answered.
    /// - Throws: As ``bonds()``.
    package func connectingRefusal() async throws(CentralManagerError) -> BackendFailure? {
        let session = try await ready()
        let adapter = selection.choose(from: session.tree, bound: nil) ?? BlueZPath.root + "/hci0"
        return await withCheckedContinuation { continuation in
            session.call(adapter + "/dev_00_00_00_00_00_00", BlueZInterface.device, "Connect") { result in
                guard case .failure(let error) = result, BlueZFailure.isRefusal(error) else {
                    return continuation.resume(returning: nil)
                }
                continuation.resume(returning: BlueZFailure.failure(error))
            }
        }
    }

    /// Returns the names or addresses of the devices that bluetoothd would page over BR/EDR first when it connects to
    /// them: their address is public, and their flags do not say that BR/EDR is not supported.
    ///
    /// - Parameter limit: The number of devices that are looked at.
    /// - Throws: As ``bonds()``.
    package func pagedPeers(among limit: Int = 64) async throws(CentralManagerError) -> [String] {
        let session = try await ready()
        guard let adapter = selection.choose(from: session.tree, bound: nil) else { throw .powerOnTimeout }
        let addressType = PropertyKey(string: "AddressType")
        var paged: [String] = []
        for path in session.tree.children(of: adapter, with: BlueZInterface.device).prefix(limit) {
            let properties = await properties(of: path, BlueZInterface.device)
            guard properties[addressType] == "public",
                let flags = properties[Device1.advertisingFlags]?.first.map(AdvertisingFlags.init(rawValue:)),
                !flags.isEmpty, !flags.contains(.noBREDR)
            else { continue }
            let facts = DeviceFacts(properties)
            paged.append(facts.name ?? facts.identifier?.text ?? path)
        }
        return paged
    }
}
#endif
