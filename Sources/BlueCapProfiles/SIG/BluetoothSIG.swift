// SPDX-License-Identifier: MIT

/// The tag that the services of the Bluetooth Special Interest Group share.
public enum BluetoothSIG {
    /// The tag under which the services are grouped.
    public static let tag = "BLESIGGATT"
}
