// SPDX-License-Identifier: MIT

/// An operation that has a name in the metrics.
///
/// The names are compiled even without the trait `Metrics`, so that a new operation does not compile until it has a
/// name.
protocol MeteredOperation {
    /// The dimension `operation`; there are few, so several operations may have one name.
    var meterLabel: String { get }
}

extension CentralOperation: MeteredOperation {
    var meterLabel: String {
        switch self {
        case .retrieve, .retrieveConnected: "retrieve"
        case .readRSSI: "read_rssi"
        case .setConnectionParameters: "set_parameters"
        case .discoverServices, .discoverIncludedServices, .discoverCharacteristics, .discoverDescriptors: "discover"
        case .read: "read"
        case .write(_, _, _, let kind): kind.meterLabel
        case .setNotifying: "set_notifying"
        case .pair: "pair"
        case .cancelPairing: "cancel_pairing"
        case .removeBond: "remove_bond"
        }
    }
}

extension WriteKind {
    var meterLabel: String {
        switch self {
        case .withResponse: "write"
        case .withoutResponse, .withoutResponseOverSocket: "write_without_response"
        }
    }
}

extension PeripheralOperation: MeteredOperation {
    var meterLabel: String {
        switch self {
        case .add: "add_service"
        case .remove: "remove_service"
        case .advertise: "advertise"
        case .updateAdvertisement: "update_advertisement"
        case .stopAdvertising: "stop_advertising"
        case .update: "update"
        case .disconnect: "disconnect_central"
        }
    }
}

extension ErrorReason {
    /// The dimension `outcome` of a failure.
    var meterLabel: String {
        switch self {
        case .cancelled: "cancelled"
        case .timeout: "timeout"
        case .disconnected: "disconnected"
        case .poweredOff: "powered_off"
        case .invalidated: "invalidated"
        case .att: "att_error"
        case .backend: "backend"
        case .unsupported: "unsupported"
        case .lookup: "lookup"
        case .pairing: "pairing"
        case .refused: "refused"
        case .serialization: "serialization"
        case .misuse: "misuse"
        }
    }
}
