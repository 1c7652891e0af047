// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapPlatform

/// The reason why metrics cannot be served at an address.
package struct MetricsServerError: Error, Hashable, CustomStringConvertible {
    let address: MetricsAddress
    /// The number of the error in the system.
    let number: Int32

    /// Whether trying again may help: the port is taken, or the address is not there yet.
    package var isTransient: Bool { number != EACCES }

    package var description: String {
        let advice =
            switch number {
            case EADDRINUSE: ": another program has that port, so choose another one, or 0 for any"
            case EADDRNOTAVAIL: ": it is no address of this machine"
            case EACCES: ": ports below 1024 are the system's, so choose another one"
            default: ""
            }
        return unsafe "no metrics at \(address): \(String(cString: strerror(number)))\(advice)"
    }
}
#endif
