// SPDX-License-Identifier: MIT

/// An option of an ``Advertisement`` that some platforms do not support.
///
/// A platform without the option refuses the advertisement with
/// ``PeripheralManagerError/advertisingOptionNotSupported(_:)``, and does not send it without the option.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum AdvertisingOption: String, Sendable, Hashable, Codable, CaseIterable {
    /// ``Advertisement/isDiscoverable``: a broadcast is never discoverable (Core Specification, Vol 3, Part C,
    /// 9.1.1.2).
    case isDiscoverable
    /// AD structures in ``Advertisement/scanResponse``; extended advertising has no scan response.
    case scanResponse
    /// ``Advertisement/interval``, or an interval that is not within 20 ms through 10.24 s.
    case interval
    /// Two of ``Advertisement/structures``, or of ``Advertisement/scanResponse``, with the same AD type.
    case structuresOfOneType
    /// ``Advertisement/txPower``, or a power that is not within −127 through 20 dBm.
    case txPower
    /// Bytes in ``Advertisement/manufacturerData``.
    case manufacturerData
    /// Bytes in ``Advertisement/serviceData``.
    case serviceData
    /// UUIDs in ``Advertisement/solicitedServiceUUIDs``.
    case solicitedServiceUUIDs
    /// A value of ``Advertisement/appearance``.
    case appearance
    /// ``Advertisement/includesTxPower`` being set.
    case includesTxPower
    /// AD structures in ``Advertisement/structures``.
    case structures
    /// The value ``Advertisement/Kind-swift.enum/broadcast`` of ``Advertisement/kind-swift.property``.
    case broadcast
    /// This value of ``Advertisement/secondaryPHY``, or a change of it on the air.
    case secondaryPHY

    /// The reason why the platform does not support the option.
    var message: String {
        switch self {
        case .isDiscoverable: "an advertisement that is not connectable is never discoverable"
        case .scanResponse: "the platform does not let the app choose the scan response, or not this one"
        case .interval: "the platform does not let the app choose the interval, or not this one"
        case .structuresOfOneType: "the platform sends one structure of each AD type"
        case .txPower: "the platform does not let the app choose the power, or not this one"
        case .manufacturerData: "the platform does not send manufacturer data"
        case .serviceData: "the platform does not send service data"
        case .solicitedServiceUUIDs: "the platform does not send solicited services"
        case .appearance: "the platform does not send an appearance"
        case .includesTxPower: "the platform does not send the transmit power"
        case .structures: "the platform does not send structures of the app's own, or not of this type"
        case .broadcast: "the platform sends connectable advertisements only"
        case .secondaryPHY: "the platform does not let the app choose extended advertising, or not this PHY or change"
        }
    }

    var advice: String {
        switch self {
        case .interval: "leave it out, or choose 20 ms to 10.24 s"
        case .structuresOfOneType: "leave the others out"
        case .txPower: "leave it out, or choose −127 to 20 dBm"
        case .broadcast: "advertise as connectable"
        case .secondaryPHY: "leave it out, or stop the advertisement before another PHY"
        case .isDiscoverable, .scanResponse, .manufacturerData, .serviceData, .solicitedServiceUUIDs, .appearance,
            .includesTxPower, .structures:
            "leave it out"
        }
    }
}

extension Advertisement {
    /// The option of the advertisement that no platform can send; nil if there is none.
    var impossibleOption: AdvertisingOption? {
        if kind == .broadcast, isDiscoverable == true { return .isDiscoverable }
        if secondaryPHY != nil, !scanResponse.isEmpty { return .scanResponse }
        if let interval, interval.lowerBound < .milliseconds(20) || interval.upperBound > .milliseconds(10_240) {
            return .interval
        }
        if let txPower, !(-127...20).contains(txPower) { return .txPower }
        return nil
    }
}
