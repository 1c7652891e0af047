// SPDX-License-Identifier: MIT

#if Gateway
/// Numbers of frames that were not read.
package struct FrameCounts: Hashable, Sendable {
    /// Encrypted, and there is no key.
    package var encrypted = 0
    /// Not of the key, or not encrypted although there is a key: none of the device's, or the key is wrong.
    package var refused = 0
    /// With a counter of before: recorded and sent again.
    package var replayed = 0
}
#endif
