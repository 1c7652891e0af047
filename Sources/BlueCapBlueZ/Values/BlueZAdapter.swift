// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// A Bluetooth adapter as bluetoothd shows it (`org.bluez.Adapter1`).
public struct BlueZAdapter: Sendable, Hashable {
    /// The name that ``AdapterSelection/name(_:)`` takes, such as `"hci0"`.
    public var name: String
    /// The address that ``AdapterSelection/address(_:)`` takes.
    public var address: String
    /// The name that other devices see (`Alias`).
    public var alias: String
    /// A Boolean value that is true if the adapter is on.
    public var isPowered: Bool
    /// A Boolean value that is true if some program scans.
    public var isDiscovering: Bool
    /// A Boolean value that is true if the adapter accepts pairing.
    public var isPairable: Bool
    /// The GAP roles that the adapter supports, such as `"central"` and `"peripheral"`; empty before BlueZ 5.55.
    public var roles: [String]
    /// The number of advertisements that programs have registered; nil if the adapter cannot advertise.
    public var advertisementCount: Int?
    /// The number of advertisements that the adapter can hold in all; nil if the adapter cannot advertise.
    public var advertisementCapacity: Int?
    /// The version of bluetoothd, such as `"5.66"`; nil where `DeviceID` of its `main.conf` hides it.
    public var version: String?
}
#endif
