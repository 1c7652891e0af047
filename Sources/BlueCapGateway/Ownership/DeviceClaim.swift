// SPDX-License-Identifier: MIT

#if Gateway
/// The claim of a gateway to a device, as the broker keeps it for all of them.
package struct DeviceClaim: Hashable, Sendable {
    /// The name of the gateway that publishes the device.
    package var owner: String
    /// The smoothed strength at which it hears the device, in dBm; nil while it does not hear it.
    package var rssi: Int?

    package init(owner: String, rssi: Int?) { (self.owner, self.rssi) = (owner, rssi) }
}
#endif
