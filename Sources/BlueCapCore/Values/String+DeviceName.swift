// SPDX-License-Identifier: MIT

/// The forms of device names.
extension String {
    /// The text before its first zero, cut to the 248 bytes that a device name may have (Core Specification, Vol 3,
    /// Part C, 12.1). A cut text ends with "…". It is nil if nothing remains.
    var asDeviceName: String? {
        let name = beforeZero
        if name.isEmpty { return nil }
        guard name.utf8.count > maximumDeviceNameLength else { return name }
        var end = name.utf8.index(name.startIndex, offsetBy: maximumDeviceNameLength - "…".utf8.count)
        while end.samePosition(in: name.unicodeScalars) == nil { end = name.utf8.index(before: end) }
        return String(name[..<end]) + "…"
    }

    /// A name as BlueZ takes it from an advertisement (src/eir.c, `name2utf8`): the text before its first zero, without
    /// ASCII white space around it. It is nil if nothing remains.
    var asAdvertisedName: String? {
        let name = beforeZero
        let scalars = name.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
            let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
        else { return nil }
        if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return name }
        return String(scalars[first...last])
    }

    private var beforeZero: String {
        guard let zero = unicodeScalars.firstIndex(of: "\0") else { return self }
        return String(unicodeScalars[..<zero])
    }
}

extension Unicode.Scalar {
    fileprivate var isWhiteSpace: Bool { self == " " || (9...13).contains(value) }
}

private let maximumDeviceNameLength = 248
