// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapJSON
import BlueCapSerDe

/// Descriptions of the frames of sensors, by which ``SensorReading`` finds values in an advertisement.
///
/// Formats are data. A program that has the data sheet of a sensor, or has found out what its bytes are, reads them
/// from a file, and so does `bluecap scan --formats`:
///
/// ```json
/// {
///   "schema": "bluecap-sensors", "version": 1,
///   "formats": [
///     {
///       "name": "Cellar", "company": "FFFF", "length": 8, "prefix": "07",
///       "fields": [
///         { "kind": "temperature", "at": 1, "type": "int16", "factor": 0.1, "unknown": [-32768] },
///         { "kind": "humidity", "at": 3, "type": "uint8" },
///         { "state": "door", "at": 4, "type": "uint8", "bits": [7] },
///         { "kind": "battery", "at": 4, "type": "uint8", "bits": [0, 6] }
///       ],
///       "counter": { "at": 5, "type": "uint16", "bigEndian": true },
///       "check": { "type": "sum", "at": 7, "from": 0, "to": 6 }
///     }
///   ]
/// }
/// ```
///
/// ## Which frames are of a format
///
/// | key | meaning |
/// |---|---|
/// | `company`, `service` | the identifier of the manufacturer's or the service's data, or a list of them |
/// | `length` | the number of bytes behind the identifier, or a list of the least and the greatest |
/// | `prefix`, `mask` | the first bytes, or a list of choices, and the bits of them that count |
/// | `names` | the names of devices; with `*` at its end, all that begin so |
/// | `check` | the byte at `at` is the `sum`, or the `xor`, of the bytes from `from` to `to` |
///
/// The company `any` is for sensors that put values in the place of a company's identifier: its two bytes are then the
/// first of the frame, and `names` has to know the device. Two formats of a file that may fit one frame are a mistake.
///
/// ## Fields
///
/// A field is a number with a `kind`, or a `state`, which is on unless its integer is 0. They are named as in
/// ``BTHomeObject/name``; `unit` chooses one of the units of a kind. The place of its integer is `at`, the first of
/// its bytes, counted from 0; `type`, as `uint8` or `int48`; `bigEndian`; and `bits`, the lowest and the highest that
/// count. An integer above `greatest` is not known.
///
/// | key | meaning, in the order in which they count |
/// |---|---|
/// | `if` | the value is there only if the bytes at `at` are `is`, as far as `mask` says |
/// | `unknownIf` | the value is not known if these bytes are so |
/// | `modulo`, `divide`, `times` | the integer's remainder, its whole quotient, and its multiple |
/// | `plus` | the place of another integer, which is added |
/// | `unknown` | a list of the integers for a value that is not known |
/// | `negative` | the value is below zero if these bytes are so |
/// | `values` | the numbers of the integers 0, 1 and so on |
/// | `base` | the integer is an exponent of this number |
/// | `factor`, `offset` | decimal fractions that the number is multiplied by and increased by |
/// | `minimum`, `maximum` | the possible values: others are not known, as those above 100 % without a `maximum` |
/// | `number` | the number of the value among those of its kind; without it the next one that is free |
///
/// `counter` is the place of an integer that distinguishes a new frame from a repeated one, and `address` that of the
/// device's address, which is little-endian unless `bigEndian` is true. `about` is a remark.
public struct SensorFormats: Sendable, Hashable {
    /// The formats, and where to look for those of a frame.
    private final class Storage: Sendable {
        let all: [SensorFormat]
        let byCompany: [UInt16: [SensorFormat]]
        let byService: [BluetoothUUID: [SensorFormat]]
        /// Those that are known by the name of the device alone, by its first bytes.
        let byName: [UInt32: [SensorFormat]]
        /// The low six bits of the first bytes of their names, each as a bit: hardly any other device's name has one.
        let firstBytes: UInt64

        init(_ all: [SensorFormat]) {
            self.all = all
            var byCompany: [UInt16: [SensorFormat]] = [:]
            var byService: [BluetoothUUID: [SensorFormat]] = [:]
            var byName: [UInt32: [SensorFormat]] = [:]
            for format in all {
                for source in format.parts.sources {
                    switch source {
                    case .company(let company): byCompany[company, default: []].append(format)
                    case .service(let service): byService[service, default: []].append(format)
                    case .anyCompany:
                        for start in Set(format.parts.names.compactMap(SensorFormats.start)) {
                            byName[start, default: []].append(format)
                        }
                    }
                }
            }
            (self.byCompany, self.byService, self.byName) = (byCompany, byService, byName)
            firstBytes = byName.keys.reduce(0) { $0 | 1 << UInt64($1 >> 16 & 63) }
        }
    }

    private let storage: Storage

    private init(_ formats: [SensorFormat]) { storage = Storage(formats) }

    /// The greatest size of a file in bytes.
    public static let maximumJSONByteCount = 1 << 20

    /// The formats of the library.
    public static let shipped = SensorFormats(
        texts.flatMap { text in (try? SensorFormats(json: text.utf8).all) ?? [] } + coded)

    /// Reads a file of formats: at most 256, with 1024 identifiers, names and choices of `prefix` in all.
    ///
    /// - Parameter bytes: JSON.
    /// - Throws: All of its mistakes, each with its line.
    public init(json bytes: some Sequence<UInt8>) throws(SensorFormatError) {
        let list = MistakeList()
        let bytes = Array(bytes.prefix(Self.maximumJSONByteCount + 1))
        var formats: [SensorFormat] = []
        if bytes.count > Self.maximumJSONByteCount {
            list.add(nil, "the file has more than \(Self.maximumJSONByteCount) bytes")
        } else {
            do throws(JSONFault) {
                let json = try PlacedJSON(bytes, within: JSONLimits(values: 1 << 16, depth: 8), allowsDoubleKeys: true)
                formats = SensorFormatReader(list).formats(json)
            } catch {
                list.add(error.place, error.isExcess ? error.reason : "this is not JSON: \(error.reason)")
            }
        }
        if !list.isEmpty { throw SensorFormatError(list.error(in: "").mistakes) }
        self.init(formats)
    }

    /// The descriptions.
    var all: [SensorFormat] { storage.all }

    /// The names of the formats.
    public var names: [String] { all.map(\.name) }

    /// These formats and others.
    ///
    /// - Parameter others: The formats that count where both fit a frame.
    public func adding(_ others: SensorFormats) -> SensorFormats { SensorFormats(others.all + all) }

    /// The readings of an advertisement, of which a device may send several: of the data of companies first, in the
    /// order of their identifiers, and then of services.
    ///
    /// A frame of which several formats are possible is of the first of them, and of one that knows the device by its
    /// name, whatever the company, rather than of one of the company. Where the bytes of the company belong to the
    /// frame, and several companies are there, none of them is read: the platform may have kept an earlier frame. Nor
    /// is an encrypted frame that nothing but its key tells from frames of others, until `BTHomeDecryptor` has one.
    ///
    /// - Parameter advertisements: The advertisement of a discovery.
    public func readings(in advertisements: PeripheralAdvertisements) -> [SensorReading] {
        readings(in: advertisements, name: advertisements.localName, hasKey: false)
    }

    /// The readings of an advertisement.
    ///
    /// - Parameters:
    ///   - name: The name of the device, which may have come before.
    ///   - hasKey: Whether a key will decide about frames that nothing else tells from those of others.
    package func readings(
        in advertisements: PeripheralAdvertisements, name: String?, hasKey: Bool
    ) -> [SensorReading] {
        var readings: [SensorReading] = []
        let companies = advertisements.manufacturerData
        Self.forEach(companies) { company, frame in
            let whole = companies.count == 1 ? reading(ofWhole: company, frame, name) : nil
            if let reading = whole ?? reading(storage.byCompany[company], frame, name, hasKey) {
                readings.append(reading)
            }
        }
        Self.forEach(advertisements.serviceData) { service, frame in
            if let reading = reading(storage.byService[service], frame, name, hasKey) { readings.append(reading) }
        }
        return readings
    }

    /// The first reading of an advertisement.
    func first(in advertisements: PeripheralAdvertisements) -> SensorReading? {
        let (companies, services) = (advertisements.manufacturerData, advertisements.serviceData)
        guard companies.count <= 1, services.count <= 1 else { return readings(in: advertisements).first }
        // Most advertisements have one of both, which needs no order and no list.
        let name = advertisements.localName
        if let (company, data) = companies.first {
            if let reading = reading(ofWhole: company, data, name) { return reading }
            if let reading = reading(storage.byCompany[company], data, name) { return reading }
        }
        return services.first.flatMap { reading(storage.byService[$0.key], $0.value, name) }
    }

    private static func forEach<Key: Comparable>(_ data: [Key: Bytes], _ body: (Key, Bytes) -> Void) {
        if data.count == 1, let (key, frame) = data.first { return body(key, frame) }
        for key in data.keys.sorted() { if let frame = data[key] { body(key, frame) } }
    }

    /// The reading of a frame to which the bytes of the company belong.
    private func reading(ofWhole company: UInt16, _ data: Bytes, _ name: String?) -> SensorReading? {
        guard let name, let first = name.utf8.first, storage.firstBytes >> UInt64(first & 63) & 1 == 1,
            let start = Self.start(of: name), let formats = storage.byName[start]
        else { return nil }
        return reading(formats, SerDe.serialize(company) + data, name)
    }

    private func reading(
        _ formats: [SensorFormat]?, _ frame: Bytes, _ name: String?, _ hasKey: Bool = false
    ) -> SensorReading? {
        guard let formats else { return nil }
        for format in formats
        where format.parts.lengths.contains(frame.count) && (hasKey || !format.parts.isKnownByKey) {
            if let reading = format.reading(of: frame, name: name) { return reading }
        }
        return nil
    }

    /// How many bytes of a name are looked for.
    static let startByteCount = 3

    /// The first bytes of a name as a number; nil where it has fewer.
    private static func start(of name: String) -> UInt32? {
        var (start, count): (UInt32, Int) = (0, 0)
        for byte in name.utf8 {
            start = start << 8 | UInt32(byte)
            count += 1
            if count == startByteCount { return start }
        }
        return nil
    }

    /// Returns a Boolean value that is true if the descriptions are equal, in the same order.
    public static func == (left: SensorFormats, right: SensorFormats) -> Bool {
        left.storage === right.storage || left.all.map(\.parts) == right.all.map(\.parts)
    }

    /// Hashes the descriptions.
    public func hash(into hasher: inout Hasher) { hasher.combine(all.map(\.parts)) }
}
