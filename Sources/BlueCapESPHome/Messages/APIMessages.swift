// SPDX-License-Identifier: MIT

/// The messages of a Bluetooth proxy, from a client and from a server; all other kinds of devices have others.
package enum APIMessages {
    package static let all: [any APIMessage.Type] = [
        HelloRequest.self, HelloResponse.self, AuthenticationRequest.self, AuthenticationResponse.self,
        DisconnectRequest.self, DisconnectResponse.self, PingRequest.self, PingResponse.self, DeviceInfoRequest.self,
        DeviceInfoResponse.self, ListEntitiesRequest.self, ListEntitiesDoneResponse.self,
        SubscribeAdvertisementsRequest.self, UnsubscribeAdvertisementsRequest.self, RawAdvertisementsResponse.self,
        SubscribeSlotsRequest.self, SlotsResponse.self, DeviceRequest.self, DeviceConnectionResponse.self,
        ServicesRequest.self, ServicesResponse.self, ServicesDoneResponse.self, ReadRequest.self,
        ReadDescriptorRequest.self, ReadResponse.self, WriteRequest.self, WriteDescriptorRequest.self,
        WriteResponse.self, NotifyRequest.self, NotifyResponse.self, NotifiedValueResponse.self, ErrorResponse.self,
        PairingResponse.self, UnpairingResponse.self, ClearCacheResponse.self, ScannerStateResponse.self,
        ScannerModeRequest.self, SetKeyRequest.self, SetKeyResponse.self, CapabilitiesRequest.self,
        CapabilitiesResponse.self,
    ]

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    /// A message by its number; nil for one that a proxy does not need.
    package static func decode(_ raw: RawMessage) throws(WireError) -> (any APIMessage)? {
        guard let type = byNumber[raw.number] else { return nil }
        return try raw.decoded(type)
    }
}
