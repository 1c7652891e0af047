// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias HelloWorld = Gnosus.HelloWorldService
private typealias Place = Gnosus.LocationService.LatitudeAndLongitude

@Suite("The services of gnos.us", .timeLimit(.minutes(60)))
struct GnosusTests {
    @Test func `UUIDs, names, tags and properties are those that both roles use`() {
        #expect(HelloWorld.uuid == "2F0A0000-69AA-F316-3E78-4194989A6C1A")
        #expect(HelloWorld.Greeting.uuid == "2F0A0001-69AA-F316-3E78-4194989A6C1A")
        #expect(HelloWorld.UpdatePeriod.uuid == "2F0A0002-69AA-F316-3E78-4194989A6C1A")
        #expect(Gnosus.LocationService.uuid == "2F0A0001-69AA-F316-3E78-4194989A6C1A")
        #expect(Place.uuid == "2F0A0017-69AA-F316-3E78-4194989A6C1A")
        #expect([HelloWorld.name, Gnosus.LocationService.name] == ["Hello World", "Location"])
        #expect([HelloWorld.tag, Gnosus.LocationService.tag] == ["gnos.us", "gnos.us"])
        #expect(
            [HelloWorld.Greeting.name, HelloWorld.UpdatePeriod.name, Place.name] == [
                "Hello World Greeting", "Update Period", "Latitude and Longitude",
            ])
        #expect(HelloWorld.Greeting.properties == [.read, .notify])
        #expect(HelloWorld.UpdatePeriod.properties == [.read, .write])
        #expect(Place.properties == [.read, .write])
    }

    @Test(arguments: ["", "Hello", "Grüß Gott, 世界 👋"])
    func `a greeting is all of the value in UTF-8`(text: String) throws {
        let greeting: HelloWorld.Greeting = try SerDe.deserialize(Array(text.utf8))
        #expect(greeting.rawValue == text)
        #expect(SerDe.serialize(greeting) == Bytes(text.utf8))
        #expect(greeting.stringValue == ["Hello World Greeting": text])
        #expect(HelloWorld.Greeting(stringValue: greeting.stringValue) == greeting)
    }

    @Test func `a greeting that is not UTF-8 is refused`() {
        #expect(throws: SerDeError.invalidText(offset: 0)) {
            try SerDe.deserialize([0x48, 0xff] as Bytes, as: HelloWorld.Greeting.self)
        }
        #expect(HelloWorld.Greeting(stringValue: [:]) == nil)
    }

    @Test func `at first the greeting is Hello, every five seconds`() throws {
        #expect(
            try SerDe.deserialize(#require(HelloWorld.Greeting.initialValue), as: HelloWorld.Greeting.self).rawValue
                == "Hello")
        #expect(
            try SerDe.deserialize(#require(HelloWorld.UpdatePeriod.initialValue), as: HelloWorld.UpdatePeriod.self)
                .milliseconds == 5000)
    }

    @Test func `a period is milliseconds in two bytes`() throws {
        expectFixedSize(HelloWorld.UpdatePeriod.self, size: 2, valid: [1, 2])
        #expect(HelloWorld.UpdatePeriod(rawValue: 258).stringValue == ["Update Period": "258"])
        #expect(SerDe.serialize(try HelloWorld.UpdatePeriod(milliseconds: 258)) == [2, 1])
        #expect(HelloWorld.UpdatePeriod(stringValue: ["Update Period": "65536"]) == nil)
        for milliseconds in [Int.min, -1, 65536, Int.max] {
            #expect(throws: SerDeError.invalidValue()) { try HelloWorld.UpdatePeriod(milliseconds: milliseconds) }
        }
    }

    // 37.752760° is 3775.276 hundredths and −122.413234° is −12241.3234.
    @Test func `a place is hundredths of a degree, San Francisco at first`() throws {
        let place: Place = try SerDe.deserialize(#require(Place.initialValue))
        #expect(place.rawValue == [3775, -12241])
        #expect([place.latitude, place.longitude] == [37.75, -122.41])
        #expect(try Place(latitude: 37.752760, longitude: -122.413234) == place)
        #expect(
            place.stringValue == [
                "latitude": "37.75", "longitude": "-122.41", "latitudeRaw": "3775", "longitudeRaw": "-12241",
            ])
    }

    @Test func `places are four bytes, the latitude's first, and survive bytes and text`() throws {
        #expect(try SerDe.deserialize([1, 2, 3, 4] as Bytes, as: Place.self).rawValue == [0x0201, 0x0403])
        expectFixedSize(Place.self, size: 4, valid: [1, 2, 3, 4])
        #expect(Place(rawValue: [1]) == nil)
        #expect(Place(stringValue: ["latitude": "1.00", "longitude": "1.00"]) == nil)
    }

    @Test func `every place on the globe survives the way through degrees`() throws {
        for longitude in Int16(-18000)...18000 {
            let place = Place(latitudeRaw: longitude / 2, longitudeRaw: longitude)
            guard try Place(latitude: place.latitude, longitude: place.longitude) == place else {
                Issue.record("\(longitude) is lost")
                return
            }
        }
    }

    @Test(arguments: [(90.1, 0.0, 0), (-90.1, 0, 0), (.nan, 0, 0), (0, 180.1, 2), (0, -.infinity, 2), (0, .nan, 2)])
    func `a place that is not on the globe is refused with the offset of the number`(
        latitude: Double, longitude: Double, offset: Int
    ) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) {
            try Place(latitude: latitude, longitude: longitude)
        }
    }
}
