// SPDX-License-Identifier: MIT

/// The bound of device names.
extension String {
    /// The text, cut to the 248 bytes that a device name may have (Core Specification, Vol 3, Part C, 12.1).
    var asDeviceName: String {
        if utf8.count <= maximumDeviceNameLength { return self }
        return String(decoding: utf8.prefix(maximumDeviceNameLength), as: UTF8.self)
    }
}

private let maximumDeviceNameLength = 248
