// SPDX-License-Identifier: MIT

public import BlueCapCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
extension PeerIdentifier {
    /// The identifier of a device on Apple's platforms: `CBPeripheral.identifier`, or that of an accessory of
    /// AccessorySetupKit.
    public init(_ uuid: UUID) { self.init(uuid.uuidString) }

    /// The UUID by which CoreBluetooth knows the device; nil for an address, as BlueZ and the virtual radio have.
    public var uuid: UUID? { UUID(uuidString: text) }
}
#endif
