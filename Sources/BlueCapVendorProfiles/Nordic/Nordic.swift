// SPDX-License-Identifier: MIT

/// Example services on chips of Nordic Semiconductor.
///
/// The ``UARTService`` stands on a base UUID of its own, and all others on `2F0Axxxx-69AA-F316-3E78-4194989A6C1A`, as
/// ``Gnosus`` does; numbers are little-endian.
public enum Nordic {
    /// The tag under which the services are grouped.
    public static let tag = "Nordic"
}
