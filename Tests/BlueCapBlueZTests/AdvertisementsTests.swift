// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AdvertisementsTests {
    @Test func `structures of one type, of which the daemon would keep the last, are refused`() async {
        let structure = ADStructure(type: 0x26, data: [1])
        let twice = Advertisement(localName: "Ours", structures: [structure, structure])
        let failure = await OffBus().failure {
            $0.advertisements.add(AdvertisementID(rawValue: 1), twice, RequestID(rawValue: 1), $0)
        }
        #expect(failure == .advertisingOption(.structuresOfOneType))
    }
}
#endif
