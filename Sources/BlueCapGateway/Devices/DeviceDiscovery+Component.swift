// SPDX-License-Identifier: MIT

#if Gateway
extension DeviceDiscovery {
    /// An entity of a device.
    struct Component: Encodable {
        let platform: String
        /// Nil for the name of the device.
        let name: String?
        let uniqueId: String
        let deviceClass: String?
        let unitOfMeasurement: String?
        let stateClass: String?
        let entityCategory: String?
        let valueTemplate: String?
        /// Seconds without a message after which the value is unknown; nil for an event, and for a value that stays.
        let expireAfter: Int?
        let eventTypes: [String]?
        let payloadHome: String?
        let payloadNotHome: String?
        let sourceType: String?
        /// The topic, where it is not that of the device's state.
        let stateTopic: String?
        /// Where it is not that of the device. An event has none: that it came is true also of a device that sleeps,
        /// and Home Assistant would take the return of an old event for a new one.
        let availability: [Availability]?

        init(
            platform: String, name: String? = nil, uniqueId: String, deviceClass: String? = nil,
            unitOfMeasurement: String? = nil, stateClass: String? = nil, entityCategory: String? = nil,
            valueTemplate: String? = nil, expireAfter: Int? = nil, eventTypes: [String]? = nil,
            payloadHome: String? = nil, payloadNotHome: String? = nil, sourceType: String? = nil,
            stateTopic: String? = nil, availability: [Availability]? = nil
        ) {
            (self.platform, self.name, self.uniqueId) = (platform, name, uniqueId)
            (self.deviceClass, self.unitOfMeasurement, self.stateClass) = (deviceClass, unitOfMeasurement, stateClass)
            (self.entityCategory, self.valueTemplate) = (entityCategory, valueTemplate)
            (self.expireAfter, self.eventTypes, self.sourceType) = (expireAfter, eventTypes, sourceType)
            (self.payloadHome, self.payloadNotHome) = (payloadHome, payloadNotHome)
            (self.stateTopic, self.availability) = (stateTopic, availability)
        }
    }
}
#endif
