// SPDX-License-Identifier: MIT

package import BlueCapCore
package import BlueCapSerDe

/// An advertisement of a sensor with given values: the way back from a ``SensorReading``, or from ``BTHome``.
package struct SensorFrame: Sendable, Hashable {
    /// The values as receivers read them.
    package let text: String
    /// The address of the device, if the frame has it.
    package let address: Bytes?
    package let advertisement: Advertisement

    /// The name of the format that has a type of its own.
    package static let btHome = "BTHome"
}

extension SensorFormats {
    /// Makes the frame of a sensor; it is read again, and compared.
    ///
    /// - Parameters:
    ///   - format: The name of a format, or `BTHome`.
    ///   - values: The values by their names, with a number behind it from the second of a name on: `"temperature 2"`.
    ///     One that is left out is not known, or not sent.
    ///   - counter: The number of the measurement, of which the frame has as much as it has room for.
    ///   - name: The name of the device; nil for one that the format demands.
    ///   - address: The address of the device in the order of its text. Where a format demands other first bytes of it,
    ///     the frame has those.
    ///   - key: The key with which the frame is encrypted; nil for a clear one.
    package func frame(
        of format: String, _ values: [String: SensorSetting], counter: UInt64, name: String? = nil,
        address: Bytes? = nil, key: Bytes? = nil
    ) throws(SensorFrameError) -> SensorFrame {
        if format == SensorFrame.btHome {
            let frame = try BTHomeFrameWriter.frame(values, counter: counter)
            let sent = if let key { try frame.sealed(key, counter: counter, address: address) } else { frame }
            var advertisement = sent.advertisement
            advertisement.localName = name
            let text = frame.measurements.map(\.description).joined(separator: ", ")
            return SensorFrame(text: text, address: nil, advertisement: advertisement)
        }
        guard let known = all.first(where: { $0.name == format }) else {
            throw SensorFrameError(part: .format, reason: "there is no format '\(format)'")
        }
        let name = try known.name(name)
        let (frame, reading): (Bytes, SensorReading)
        if let writer = known.writer {
            (frame, reading) = try known.frame(writer, values, counter: counter, address: address, key: key)
        } else if key != nil {
            throw SensorFrameError(part: .key, reason: "a frame of '\(format)' is not encrypted")
        } else {
            var writer = try SensorFrameWriter(known, values)
            (frame, reading) = try writer.write(counter: counter, name: name, address: address)
        }
        var advertisement = Advertisement(kind: .broadcast, localName: name)
        switch known.parts.sources.first {
        case .company(let company): advertisement.manufacturerData[company] = frame
        case .service(let service): advertisement.serviceData[service] = frame
        case .anyCompany, nil:
            // The two bytes of the company are the first of the frame.
            let company = frame.prefix(2).reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            advertisement.manufacturerData[company] = Bytes(frame.dropFirst(2))
        }
        return SensorFrame(text: "\(reading)", address: reading.address, advertisement: advertisement)
    }

    /// The names of all values of a format; nil where there is no such format.
    package func valueNames(of format: String) -> [String]? {
        if format == SensorFrame.btHome { return BTHomeFrameWriter.names }
        return all.first { $0.name == format }?.valueNames
    }

    /// Values that a sensor of a format may have, one of each that a single frame has room for.
    package func exampleValues(of format: String) -> [String: SensorSetting] {
        let known = all.first { $0.name == format }
        if format == SensorFrame.btHome || known?.writer != nil {
            // A frame that needs a key has no example.
            return known?.parts.isKnownByKey == true ? [:] : ["temperature": .number(21.5), "humidity": .number(45)]
        }
        guard let known else { return [:] }
        var (values, chosen): ([String: SensorSetting], [SensorPattern]) = ([:], [])
        for (field, name) in zip(known.parts.fields, known.valueTitles) {
            if let condition = field.parts.condition {
                guard values[name] == nil, chosen.allSatisfy(condition.overlaps) else { continue }
                chosen.append(condition)
            }
            values[name] =
                field.parts.kind.states == nil ? .number(Self.usual[field.parts.kind.name] ?? 1) : .state(true)
        }
        return values
    }

    /// Numbers of kinds that are as good as others.
    private static let usual: [String: Double] = [
        "alarm temperature": 60, "battery": 100, "CO2": 640, "duration": 600, "humidity": 45, "illuminance": 99,
        "impedance": 500, "mass": 72.5, "pressure": 1013.25, "temperature": 21.5, "voltage": 3, "VOC index": 100,
    ]
}

extension SensorFormat {
    /// The names of all values, each once.
    var valueNames: [String] {
        if let writer { return writer.valueNames }
        var names: Set<String> = []
        return valueTitles.filter { names.insert($0).inserted }
    }

    /// The name of a device: the given one, or the shortest that the format allows.
    fileprivate func name(_ name: String?) throws(SensorFrameError) -> String? {
        if parts.names.isEmpty { return name }
        guard let name else { return parts.names.first.map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 } }
        if fits(name) { return name }
        let known = parts.names.map { "'\($0)'" }.joined(separator: ", ")
        throw SensorFrameError(part: .name, reason: "'\(name)' is no name of a '\(self.name)': it is one of \(known)")
    }
}
