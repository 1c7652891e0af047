// SPDX-License-Identifier: MIT

import BlueCap

/// A sighting of a scan.
struct ScanEvent: Encodable, Sendable {
    var event: String
    var id: String
    var name: String?
    var state: DeviceState
    var rssi: Int?
    var services: [String]
    /// The same UUIDs as people know them.
    var shortServices: [String]
    var manufacturerData: [String: String]?
    /// Whose data that is, as far as the companies have names.
    var companies: [String]?
    /// Frames of beacons and sensors, decoded.
    var frames: [AdvertisedFrame]?
    var serviceData: [String: String]?
    var txPower: Int?
    var connectable: Bool?
    var date: String

    init(_ discovery: Discovery) {
        let advertisements = discovery.advertisements
        event = discovery.kind.rawValue
        id = discovery.peripheral.identifier.text
        name = discovery.displayName
        state = DeviceState(discovery.peripheral)
        // 0 and 127 stand for "not measured", as in the table.
        rssi = SignalBars.count(discovery.rssi) == nil ? nil : discovery.rssi
        services = advertisements.serviceUUIDs.map(\.fullDescription)
        shortServices = advertisements.serviceUUIDs.map(\.description)
        if !advertisements.manufacturerData.isEmpty {
            manufacturerData = [:]
            for (company, data) in advertisements.manufacturerData {
                let digits = String(company, radix: 16)
                manufacturerData?[String(repeating: "0", count: 4 - digits.count) + digits] = data.hex
            }
        }
        if !advertisements.serviceData.isEmpty {
            serviceData = [:]
            for (uuid, data) in advertisements.serviceData { serviceData?[uuid.fullDescription] = data.hex }
        }
        let (companies, frames) = (
            AdvertisedFrame.companies(in: advertisements), AdvertisedFrame.frames(in: advertisements)
        )
        if !companies.isEmpty { self.companies = companies }
        if !frames.isEmpty { self.frames = frames }
        txPower = advertisements.txPower
        connectable = advertisements.isConnectable
        date = JSONLine.date(discovery.date)
    }
}

/// A step of `demo` on the way to its values.
struct StepEvent: Encodable, Sendable {
    var event: String
    var id: String?
    var name: String?
    var rssi: Int?
    var services: [String]?
    var characteristic: String?
    var value: String?
    var message: String?
}

/// A decoded sample of the accelerometer, in g.
struct SampleEvent: Encodable, Sendable {
    var event = "sample"
    var index: Int
    var x: Double
    var y: Double
    var z: Double
}

extension Discovery {
    /// The name that the device goes by, if any is known.
    var displayName: String? {
        if let name = advertisements.localName { return name }
        return peripheral.name
    }
}
