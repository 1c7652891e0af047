// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapBeacon
import BlueCapCore
import Foundation
import Testing

@Suite("With Foundation")
struct FoundationTests {
    @Test func `a timestamp becomes a date`() {
        #expect(Date(Timestamp(sinceEpoch: .milliseconds(1500))) == Date(timeIntervalSince1970: 1.5))
        #expect(Date(Timestamp(sinceEpoch: .seconds(-2))) == Date(timeIntervalSince1970: -2))
    }

    @Test func `a text of a date has the millisecond of its timestamp`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for seconds in [0, 951_868_800, 1_700_000_000, 4_107_542_400] {
            for milliseconds in 0..<1000 {
                let timestamp = Timestamp(sinceEpoch: .seconds(seconds) + .milliseconds(milliseconds))
                #expect(Date(timestamp).formatted(style) == timestamp.description)
            }
        }
    }

    @Test func `bytes and identifiers are made of Foundation's, and back`() throws {
        let data = Data([1, 2])
        let identifier = try #require(UUID(uuidString: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"))
        let bytes = Bytes(data)  // of a Data; of an array of UInt8 too
        let copy = Data(bytes)
        let array = Array(bytes)
        let uuid = BluetoothUUID(identifier)  // of Foundation's UUID
        let typed = try BluetoothUUID(text: "180D")  // of text that the program did not write itself
        let back = uuid.foundationUUID
        #expect(bytes == [1, 2])
        #expect(Bytes([1, 2] as [UInt8]) == bytes)
        #expect(copy == data)
        #expect(array == [1, 2])
        #expect(back == identifier)
        #expect(typed == "180D")
    }

    @Test func `a device's identifier is made of a UUID, and back`() throws {
        let uuid = try #require(UUID(uuidString: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"))
        let identifier = PeerIdentifier(uuid)
        #expect(identifier == PeerIdentifier("f7826da6-4fa2-4e98-8024-bc5b71e0893e"))
        #expect(identifier.uuid == uuid)
        #expect(PeerIdentifier("C0:DE:00:00:00:01").uuid == nil)
    }

    @Test func `a region of beacons takes a UUID`() throws {
        let uuid = try #require(UUID(uuidString: "F7826DA6-4FA2-4E98-8024-BC5B71E0893E"))
        let family = BeaconRegion(uuid: uuid, identifier: "shop")
        #expect(family.proximityUUID == "F7826DA6-4FA2-4E98-8024-BC5B71E0893E")
        #expect(family.major == nil)
        let one = BeaconRegion(uuid: uuid, identifier: "door", major: 1, minor: 2)
        #expect(one.major == 1)
        #expect(one.minor == 2)
    }
}
