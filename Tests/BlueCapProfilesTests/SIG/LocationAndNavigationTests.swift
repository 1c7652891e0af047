// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias LN = LocationAndNavigationService

@Suite("Location and Navigation", .timeLimit(.minutes(60)))
struct LocationAndNavigationTests {
    @Test func `a location is two numbers of ten-millionths of a degree`() throws {
        var value = LN.LocationAndSpeed()
        value.location = try LN.Location(latitude: 47.3769, longitude: -8.5417)
        value.positionStatus = .positionOK
        // Flags: location 2, status 1 at bit 7: 0x0084. 473769000 = 0x1c3d2428; −85417000 = 0xfae8a3d8.
        expectBytes(value, [0x84, 0x00, 0x28, 0x24, 0x3d, 0x1c, 0xd8, 0xa3, 0xe8, 0xfa])
        #expect(value.stringValue["latitude"] == "47.3769000")
        #expect(value.stringValue["longitude"] == "-8.5417000")
    }

    @Test func `all fields follow in the order of their flags`() throws {
        var value = LN.LocationAndSpeed()
        value.speed = try Scaled(2.5)
        value.totalDistance = try Scaled(1234.5)
        value.location = try LN.Location(latitude: 0, longitude: 0)
        value.elevation = try Scaled(-1.5)
        value.heading = try Scaled(270)
        value.rollingTime = 9
        value.utcTime = try DateTime(year: 2024, month: 2, day: 29, hours: 1, minutes: 2, seconds: 3)
        value.positionStatus = .lastKnown
        value.isThreeDimensional = true
        value.elevationSource = .database
        value.headingSource = .compass
        // Bits 0 to 6, status 3 at 7, 3D 9, source 2 at 10, compass 12: 0x007f + 0x0180 + 0x0200 + 0x0800 + 0x1000.
        expectBytes(
            value,
            [
                0xff, 0x1b, 0xfa, 0x00, 0x39, 0x30, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0x6a, 0xff, 0xff, 0x78, 0x69, 9, 0xe8,
                0x07, 2, 29, 1, 2, 3,
            ])
    }

    @Test(arguments: [(90.1, 0.0, 0), (0, -180.1, 4), (.nan, 0, 0)])
    func `a place outside the Earth is not made`(latitude: Double, longitude: Double, offset: Int) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) {
            try LN.Location(latitude: latitude, longitude: longitude)
        }
    }

    @Test func `reserved flags and bytes behind the fields are passed over`() throws {
        let value: LN.LocationAndSpeed = try SerDe.deserialize([0x01, 0xe0, 0xfa, 0x00, 1, 2, 3] as Bytes)
        #expect(SerDe.serialize(value) == [0x01, 0x00, 0xfa, 0x00])
    }

    @Test func `quality has a field for each flag`() throws {
        var value = LN.PositionQuality()
        value.beaconsInSolution = 7
        value.beaconsInView = 11
        value.timeToFirstFix = try Scaled(31.5)
        value.horizontalError = try Scaled(4.2)
        value.verticalError = try Scaled(8)
        value.horizontalDilution = try Scaled(1.4)
        value.verticalDilution = try Scaled(2)
        value.positionStatus = .estimated
        // Bits 0 to 6, status 2 at 7: 0x017f. 315 = 0x013b; 420 = 0x01a4; 800 = 0x0320; 7 and 10 fifths.
        expectBytes(
            value, [0x7f, 0x01, 7, 11, 0x3b, 0x01, 0xa4, 0x01, 0, 0, 0x20, 0x03, 0, 0, 7, 10])
        expectBytes(LN.PositionQuality(), [0, 0])
    }

    @Test func `navigation has bearing and heading, and what is left to go`() throws {
        var value = LN.Navigation()
        value.bearing = try Scaled(90)
        value.heading = try Scaled(45.5)
        value.remainingDistance = try Scaled(1000)
        value.remainingVerticalDistance = try Scaled(-10)
        value.positionStatus = .positionOK
        value.headingSource = .compass
        value.isToDestination = true
        value.isWaypointReached = true
        // Bits 0 and 1, status 1 at 3, compass 5, destination 6, waypoint reached 7: 0x00eb. 9000 = 0x2328;
        // 4550 = 0x11c6; 10000 = 0x002710; −1000 = 0xfffc18.
        expectBytes(
            value, [0xeb, 0x00, 0x28, 0x23, 0xc6, 0x11, 0x10, 0x27, 0x00, 0x18, 0xfc, 0xff])
        value.isDestinationReached = true
        #expect(SerDe.serialize(value)[1] == 0x01)
    }

    @Test func `features are 32 flags`() {
        expectBytes(LN.LNFeature([.location, .elevation, .positionStatus]), [0x0c, 0x00, 0x10, 0x00])
    }

    @Test func `commands carry what they need`() throws {
        expectBytes(LN.LNControlPoint.setCumulativeValue(try Scaled(100)), [1, 0xe8, 0x03, 0x00])
        expectBytes(LN.LNControlPoint.mask([.elevation, .utcTime]), [2, 0x48, 0x00])
        expectBytes(LN.LNControlPoint.navigate(.resume), [3, 3])
        expectBytes(LN.LNControlPoint.requestNumberOfRoutes, [4])
        expectBytes(LN.LNControlPoint.requestNameOfRoute(1), [5, 1, 0])
        expectBytes(LN.LNControlPoint.selectRoute(258), [6, 2, 1])
        expectBytes(LN.LNControlPoint.setFixRate(seconds: 10), [7, 10])
        expectBytes(LN.LNControlPoint.setElevation(try Scaled(-1.5)), [8, 0x6a, 0xff, 0xff])
    }

    @Test func `answers carry what was asked for`() throws {
        let count: LN.LNControlPoint = try SerDe.deserialize([0x20, 4, 1, 3, 0] as Bytes)
        #expect(count.numberOfRoutes == 3)
        #expect(count.nameOfRoute == nil)
        let name: LN.LNControlPoint = try SerDe.deserialize([0x20, 5, 1, 0x48, 0x69] as Bytes)
        #expect(name.nameOfRoute == "Hi")
        let failed: LN.LNControlPoint = try SerDe.deserialize([0x20, 5, 4, 0x48, 0x69] as Bytes)
        #expect(failed.nameOfRoute == nil)
        #expect(failed.response?.result == .operationFailed)
        #expect(try SerDe.deserialize([0x20, 4, 1, 3] as Bytes, as: LN.LNControlPoint.self).numberOfRoutes == nil)
    }

    @Test func `whatever decodes survives bytes and text`() {
        // Where a date is announced, few random bytes are one: those without it count.
        expectRoundTrips(of: LN.LocationAndSpeed.self, inputs: 2000)
        expectRoundTrips(of: LN.PositionQuality.self, inputs: 1500)
        expectRoundTrips(of: LN.Navigation.self, inputs: 2000)
        expectRoundTrips(of: LN.LNControlPoint.self, inputs: 500)
        expectRoundTrips(of: LN.LNFeature.self, size: 4)
    }
}
