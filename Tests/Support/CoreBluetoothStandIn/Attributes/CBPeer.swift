// SPDX-License-Identifier: MIT

public import Foundation

/// Another device, known by a UUID that only this host has for it (B10).
public class CBPeer: NSObject, NSCopying {
    public let identifier: UUID

    init(identifier: UUID) { self.identifier = identifier }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
