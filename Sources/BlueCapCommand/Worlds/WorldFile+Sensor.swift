// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapJSON

extension WorldFile {
    /// Whether a file is a world, and not a twin.
    static func isWorld(_ bytes: [UInt8]) -> Bool {
        guard let json = try? PlacedJSON(bytes, within: JSONLimits(values: 1 << 18)),
            case .object(let members) = json.content
        else { return false }
        return members.contains { $0.key == "world" }
    }

    /// The sensor that a program without a world can be.
    ///
    /// - Parameters:
    ///   - chosen: Its name, its address, or its format; nil for the only one.
    ///   - path: The path of the file, for messages.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the sensors that there are.
    func sensor(_ chosen: String?, in path: String) throws(CommandFailure) -> (device: WorldDevice, sensor: WorldSensor)
    {
        let all = devices.compactMap { device in device.sensor.map { (device: device, sensor: $0) } }
        if all.isEmpty {
            throw CommandFailure(
                .usage,
                "\(path) is a world without a 'sensor', which is all that 'emulate' plays of one: "
                    + "'--backend virtual:\(path)' is for commands that look for devices")
        }
        let found = all.filter { device, sensor in
            guard let chosen else { return true }
            if let address = device.address, PeerIdentifier(address) == PeerIdentifier(chosen) { return true }
            return [device.name, sensor.format].contains { name in
                name.map(CharacteristicSelector.fold) == CharacteristicSelector.fold(chosen)
            }
        }
        if found.count == 1 { return found[0] }
        let lines = (found.isEmpty ? all : found).prefix(64).map { device, sensor in
            [sensor.format, device.name, device.address].compactMap(\.self).map(TextLayout.printable).joined(
                separator: "  ")
        }
        let reason = found.isEmpty ? "no sensor '\(chosen ?? "")' is in \(path)" : "\(path) has several sensors"
        throw CommandFailure(
            .usage, "\(reason): choose one by --device:" + lines.map { "\n  " + $0 }.joined())
    }
}
