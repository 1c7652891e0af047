// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension Gnosus {
    /// A place on the globe.
    public enum LocationService: ServiceConfigurable {
        public static let uuid = Gnosus.uuid(0x0001)
        public static let name = "Location"
        public static let tag = Gnosus.tag
    }
}

extension Gnosus.LocationService {
    /// The place: two signed 16-bit numbers of 1/100 degree, the latitude and then the longitude. That is about 1 km.
    public struct LatitudeAndLongitude: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable,
        Hashable
    {
        public static let uuid = Gnosus.uuid(0x0017)
        public static let name = "Latitude and Longitude"
        public static let properties: CharacteristicProperties = [.read, .write]
        public static let size = 4
        public static let initialValue: Bytes? = [0xbf, 0x0e, 0x2f, 0xd0]

        /// The latitude as it is sent, in 1/100 degree.
        public let latitudeRaw: Int16
        /// The longitude as it is sent, in 1/100 degree.
        public let longitudeRaw: Int16

        /// Creates a place from the two numbers as they are sent. Every number is allowed, even those that stand for no
        /// place on the Earth.
        ///
        /// - Parameters:
        ///   - latitudeRaw: The hundredths of a degree north.
        ///   - longitudeRaw: The hundredths of a degree east.
        public init(latitudeRaw: Int16, longitudeRaw: Int16) {
            (self.latitudeRaw, self.longitudeRaw) = (latitudeRaw, longitudeRaw)
        }

        /// Creates a place from degrees, rounded to the nearest hundredth.
        ///
        /// - Parameters:
        ///   - latitude: The degrees north, −90 to 90.
        ///   - longitude: The degrees east, −180 to 180.
        /// - Throws: `SerDeError.invalidValue(offset:)`, offset 0 for a latitude out of range, offset 2 for a longitude
        ///   out of range.
        public init(latitude: Double, longitude: Double) throws(SerDeError) {
            guard latitude.magnitude <= 90 else { throw .invalidValue(offset: 0) }
            guard longitude.magnitude <= 180 else { throw .invalidValue(offset: 2) }
            self.init(
                latitudeRaw: Int16((latitude * 100).rounded()), longitudeRaw: Int16((longitude * 100).rounded()))
        }

        /// Creates a place from the latitude and the longitude as they are sent; nil for any other count.
        public init?(rawValue: [Int16]) {
            guard rawValue.count == 2 else { return nil }
            self.init(latitudeRaw: rawValue[0], longitudeRaw: rawValue[1])
        }

        /// The latitude and the longitude as they are sent.
        public var rawValue: [Int16] { [latitudeRaw, longitudeRaw] }

        /// The latitude in degrees, north positive.
        public var latitude: Double { Double(latitudeRaw) / 100 }
        /// The longitude in degrees, east positive.
        public var longitude: Double { Double(longitudeRaw) / 100 }

        public static var units: [String: String] { ["latitude": "°", "longitude": "°"] }

        public var stringValue: [String: String] {
            [
                "latitude": DecimalText.fixed(latitude, 2), "longitude": DecimalText.fixed(longitude, 2),
                "latitudeRaw": "\(latitudeRaw)", "longitudeRaw": "\(longitudeRaw)",
            ]
        }

        public init?(stringValue: [String: String]) {
            guard let latitude = stringValue["latitudeRaw"].flatMap(Int16.init),
                let longitude = stringValue["longitudeRaw"].flatMap(Int16.init)
            else { return nil }
            self.init(latitudeRaw: latitude, longitudeRaw: longitude)
        }

        /// Reads the two numbers without the array that `rawValue` makes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            guard reader.remaining >= Self.size else {
                throw .truncated(needed: Self.size, available: reader.remaining, offset: reader.offset)
            }
            latitudeRaw = try reader.read()
            longitudeRaw = try reader.read()
        }

        public var encodedByteCount: Int { Self.size }

        public func encode(into output: inout OutputRawSpan) {
            output.write(latitudeRaw)
            output.write(longitudeRaw)
        }
    }
}
