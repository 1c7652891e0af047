// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// Beacons' frames, by themselves and in advertisements.
struct AdvertisementFuzzer {
    func run(_ input: inout FuzzInput) {
        switch input.byte() % 6 {
        case 0: roundTrip(IBeacon.self, input.rest())
        case 1: roundTrip(AltBeacon.self, input.rest())
        case 2:
            // Both are service data; an input says by its bytes which it is.
            let data = input.rest()
            roundTrip(Eddystone.self, data)
            roundTrip(BTHome.self, data).map(Self.check)
        case 3: roundTrip(EddystoneTelemetry.self, input.rest())
        case 4: Self.url(&input)
        default: Self.fields(&input)
        }
    }

    private static func url(_ input: inout FuzzInput) {
        let bytes = input.rest()
        if let url = roundTrip(EddystoneURL.self, bytes) { check(url) }
        if let url = EddystoneURL(String(decoding: bytes, as: UTF8.self)) {
            check(url)
            expect(url.encodedByteCount <= 18, "\(url) takes \(url.encodedByteCount) bytes")
            expect((try? SerDe.deserialize(SerDe.serialize(url), as: EddystoneURL.self))?.text == url.text, "\(url)")
        }
    }

    private static func check(_ frame: BTHome) {
        for object in frame.objects {
            expect(!object.description.isEmpty, "\(object.id)")
            guard let number = object.number else { continue }
            expect(BTHomeObject(object.id, number) == object, "\(object) is not made of its number \(number)")
        }
    }

    private static func check(_ url: EddystoneURL) {
        expect(url.text.hasPrefix("http"), "\(url)")
    }

    /// The fields of an advertisement, as a backend fills them in.
    private static func fields(_ input: inout FuzzInput) {
        var advertisements = PeripheralAdvertisements()
        while !input.isAtEnd {
            switch input.byte() % 4 {
            case 0: advertisements.manufacturerData[IBeacon.company] = Bytes(input.counted())
            case 1: advertisements.manufacturerData[input.word()] = Bytes(input.counted())
            case 2:
                let data = Bytes(input.counted())
                advertisements.serviceData[Eddystone.uuid] = data
                advertisements.serviceData[BTHome.uuid] = data
            default: advertisements.serviceData[BluetoothUUID(input.word())] = Bytes(input.counted())
            }
        }
        frames(in: advertisements)
    }

    /// A frame that is found is found again in the advertisement that it makes of itself.
    private static func frames(in advertisements: PeripheralAdvertisements) {
        if let frame = IBeacon(advertisements) {
            expect(IBeacon(received(frame.advertisement)) == frame, "\(frame)")
        }
        if let frame = AltBeacon(advertisements) {
            expect(AltBeacon(received(frame.advertisement)) == frame, "\(frame)")
        }
        if let frame = BTHome(advertisements) {
            expect(BTHome(received(frame.advertisement)) == frame, "\(frame)")
        }
        if let frame = Eddystone(advertisements) {
            expect(Eddystone(received(frame.advertisement)) == frame, "\(frame)")
        }
    }

    private static func received(_ advertisement: Advertisement) -> PeripheralAdvertisements {
        PeripheralAdvertisements(
            manufacturerData: advertisement.manufacturerData, serviceData: advertisement.serviceData)
    }
}
