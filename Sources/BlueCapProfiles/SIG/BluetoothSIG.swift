// SPDX-License-Identifier: MIT

/// What the services of the Bluetooth Special Interest Group have in common.
public enum BluetoothSIG {
    /// The tag under which the services are grouped.
    public static let tag = "BLESIGGATT"
}
