// SPDX-License-Identifier: MIT

/// Asks for the whole database of a device.
package struct ServicesRequest: DeviceMessage {
    package static let number: UInt16 = 70
    package static let fields = deviceFields

    package var address: UInt64 = 0

    package init() {}
}

/// Some of the services of a device.
package struct ServicesResponse: DeviceMessage {
    package static let number: UInt16 = 71
    package static let fields: [APIField<Self>] = deviceFields + [.groups(2, \.services)]

    package var address: UInt64 = 0
    package var services: [RemoteService] = []

    package init() {}
}

/// Ends a list that is whole: clients keep it.
package struct ServicesDoneResponse: DeviceMessage {
    package static let number: UInt16 = 72
    package static let fields = deviceFields

    package var address: UInt64 = 0

    package init() {}
}

/// A service.
package struct RemoteService: APIGroup {
    package static let fields: [APIField<Self>] = [
        .numbers(1, \.uuid), .unsigned(2, \.handle), .groups(3, \.characteristics), .unsigned(4, \.shortUUID),
    ]

    /// The two halves, the high one first; empty where there is a short one.
    package var uuid: [UInt64] = []
    package var handle: UInt32 = 0
    package var characteristics: [RemoteCharacteristic] = []
    package var shortUUID: UInt32 = 0

    package init() {}
}

/// A characteristic.
package struct RemoteCharacteristic: APIGroup {
    package static let fields: [APIField<Self>] = [
        .numbers(1, \.uuid), .unsigned(2, \.handle), .unsigned(3, \.properties), .groups(4, \.descriptors),
        .unsigned(5, \.shortUUID),
    ]

    package var uuid: [UInt64] = []
    /// That of the value.
    package var handle: UInt32 = 0
    package var properties: UInt32 = 0
    package var descriptors: [RemoteDescriptor] = []
    package var shortUUID: UInt32 = 0

    package init() {}
}

/// A descriptor.
package struct RemoteDescriptor: APIGroup {
    package static let fields: [APIField<Self>] = [
        .numbers(1, \.uuid), .unsigned(2, \.handle), .unsigned(3, \.shortUUID),
    ]

    package var uuid: [UInt64] = []
    package var handle: UInt32 = 0
    package var shortUUID: UInt32 = 0

    package init() {}
}
