// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

/// The description of a device and its values for Home Assistant (the page "MQTT" of its documentation, section "Device
/// discovery payload").
struct DeviceDiscovery: Encodable {
    struct Device: Encodable {
        var identifiers: [String]
        var name: String
        /// The Bluetooth address, by which Home Assistant knows the device from elsewhere.
        var connections: [[String]]?
    }

    struct Origin: Encodable {
        var name = "bluecap"
    }

    /// A topic that says `online` or `offline`.
    struct Availability: Encodable {
        var topic: String
    }

    var device: Device
    var origin: Origin
    var components: [String: Component]
    var stateTopic: String
    /// The topics of the gateway and of the device; in a group, whose gateways replace each other, of the device alone.
    var availability: [Availability]
    var availabilityMode = "all"
    var qos = 1

    /// - Parameters:
    ///   - values: The values of the device, with its name.
    ///   - id: The last level of its topics.
    ///   - plan: The topics.
    init(_ values: DeviceValues, _ id: String, _ plan: GatewayPlan) {
        let seconds = values.stateExpiry(plan.pace).map { Int(clamping: $0.components.seconds) }
        device = Device(
            identifiers: ["bluecap_\(id)"], name: values.name,
            connections: values.address.map { [["bluetooth", $0]] })
        origin = Origin()
        stateTopic = plan.stateTopic(id)
        let statuses = plan.isOfGroup ? [] : [plan.statusTopic]
        // Values that stay are true also while the device is off.
        let topics = statuses + (values.keepsValues ? [] : [plan.availabilityTopic(id)])
        availability = topics.map { Availability(topic: $0) }
        components = [:]
        for measurement in values.measurements {
            let kind = measurement.kind
            if let part = kind.part {
                components[measurement.key] = Self.event(measurement.key, part, id, plan)
                continue
            }
            components[measurement.key] = Component(
                platform: kind.platform, name: Self.title(measurement.key),
                uniqueId: "bluecap_\(id)_\(measurement.key)", deviceClass: kind.deviceClass,
                unitOfMeasurement: kind.unit, stateClass: kind.stateClass,
                valueTemplate: "{{ value_json['\(measurement.key)'] }}", expireAfter: seconds)
        }
        if values.additions.contains(.measured) {
            components["measured"] = Component(
                platform: "sensor", name: "Measured", uniqueId: "bluecap_\(id)_measured", deviceClass: "timestamp",
                valueTemplate: "{{ value_json.get('measured') }}")
        }
        if values.additions.contains(.tracker) {
            components["tracker"] = Component(
                platform: "device_tracker", uniqueId: "bluecap_\(id)_tracker", payloadHome: "online",
                payloadNotHome: "offline", sourceType: "bluetooth_le", stateTopic: plan.availabilityTopic(id),
                availability: statuses.map { Availability(topic: $0) })
        }
        components["rssi"] = Component(
            platform: "sensor", name: "Signal strength", uniqueId: "bluecap_\(id)_rssi",
            deviceClass: "signal_strength", unitOfMeasurement: "dBm", stateClass: "measurement",
            entityCategory: "diagnostic", valueTemplate: "{{ value_json.get('rssi') }}", expireAfter: seconds)
    }

    /// The entity of a button, whose presses have a topic of the device in common.
    private static func event(
        _ key: String, _ part: SensorEvent.Part, _ id: String, _ plan: GatewayPlan
    ) -> Component {
        Component(
            platform: "event", name: title(key), uniqueId: "bluecap_\(id)_\(key)",
            deviceClass: part == .button ? "button" : nil,
            valueTemplate: "{{ value if value_json.key == '\(key)' else '' }}", eventTypes: part.types,
            stateTopic: plan.pressTopic(id), availability: [])
    }

    /// `"dew_point"` as `"Dew point"`.
    private static func title(_ key: String) -> String {
        key.prefix(1).uppercased() + key.dropFirst().map { $0 == "_" ? " " : $0 }
    }
}
#endif
