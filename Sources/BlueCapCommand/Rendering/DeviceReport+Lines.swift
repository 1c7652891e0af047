// SPDX-License-Identifier: MIT

import BlueCap

/// The report as a tree, made for 80 columns: only a long text of the device's own is wider.
extension DeviceReport {
    /// The device, its services, and the counts and times of its connections.
    var lines: [String] {
        let signal = rssi.map { "signal \($0) dBm" }
        let unit = mtu.map { "MTU \($0)" }
        let facts = [signal, unit, bonded ? "paired" : "not paired"].compactMap(\.self)
        let heading = [
            "\(TextLayout.printable(name ?? CharacteristicProfile.unknownName)) (\(id))", facts.joined(separator: ", "),
        ]
        let counts = [
            TextLayout.count(statistics.connections, "connection"), TextLayout.count(statistics.timeouts, "timeout"),
            TextLayout.count(statistics.disconnections, "disconnection"),
        ]
        let dates = [
            "discovered \(discoveredAt)", statistics.connectedAt.map { "connected \($0)" },
            statistics.disconnectedAt.map { "disconnected \($0)" },
        ].compactMap(\.self)
        let times = [
            "connected for \(Self.seconds(statistics.connected))",
            "\(Self.seconds(statistics.average)) a connection", "apart for \(Self.seconds(statistics.apart))",
        ]
        let tree = services.flatMap { [""] + $0.lines }
        return heading + (services.isEmpty ? ["", "It has no services"] : tree) + [""] + dates
            + [counts.joined(separator: ", "), times.joined(separator: ", ")]
    }

    private static func seconds(_ seconds: Double) -> String { "\(TextLayout.decimal(seconds, digits: 1)) s" }

    /// Where values and descriptors stand, below the name of their characteristic.
    fileprivate static let indent = "        "

    /// `"Battery  180F"`; a UUID alone where there is no name.
    fileprivate static func title(_ name: String?, _ uuid: String) -> String {
        let short = (try? BluetoothUUID(text: uuid))?.description ?? uuid
        return name.map { "\($0)  \(short)" } ?? short
    }
}

extension ServiceReport {
    fileprivate var lines: [String] {
        [DeviceReport.title(name, uuid) + (primary ? "" : "  (secondary)")] + characteristics.flatMap(\.lines)
    }
}

extension AttributeReport {
    /// The lines of a characteristic.
    fileprivate var lines: [String] {
        let properties = properties ?? []
        let words = properties.isEmpty ? "no properties" : properties.joined(separator: " ")
        let lead = "  " + TextLayout.pad(handle, to: max(handle.count, 5)) + " "
        let short = (try? BluetoothUUID(text: uuid))?.uint32 != nil
        // A UUID of 36 characters beside a name leaves no room for the properties.
        let title =
            short || name == nil
            ? [lead + DeviceReport.title(name, uuid) + "  " + words]
            : ["\(lead)\(name ?? "")  \(words)", DeviceReport.indent + uuid]
        let value = valueText(columns: 72).map { [DeviceReport.indent + $0] } ?? []
        return title + value + (descriptors ?? []).flatMap(\.descriptorLines)
    }

    private var descriptorLines: [String] {
        let title = DeviceReport.indent + DeviceReport.title(name, uuid)
        return [title] + (valueText(columns: 70).map { ["\(DeviceReport.indent)  \($0)"] } ?? [])
    }

    /// The text and the bytes; only as many bytes as there is room for beside the text. Nil where nothing was read.
    private func valueText(columns: Int) -> String? {
        guard let value else { return error }
        if value.isEmpty { return "(empty)" }
        let lead = String(ValueText.line(text, hex: value, isRefused: isRefused).dropLast(value.count))
        let room = columns - TextLayout.width(of: lead)
        if value.count <= room { return lead + value }
        let count = "… (\(value.count / 2) bytes)"
        let digits = (room - count.count) / 2 * 2
        // A text that takes the whole line has the same information as the bytes.
        return digits < 4 ? text ?? count : lead + value.prefix(digits) + count
    }
}
