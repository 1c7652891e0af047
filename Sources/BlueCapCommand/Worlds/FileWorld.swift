// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// The devices of a file in the air of a virtual radio.
struct FileWorld: Sendable {
    private let radio: VirtualRadio
    private let devices: [WorldInhabitant]

    /// Puts the devices of a world into the air.
    ///
    /// - Parameter name: The name of the world or the path of its file, for messages and for the files of twins.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the device and its fault.
    init(radio: VirtualRadio, _ file: WorldFile, name: String = "virtual") throws(CommandFailure) {
        self.radio = radio
        var devices: [WorldInhabitant] = []
        var taken: Set<PeerIdentifier> = []
        for (index, device) in file.devices.enumerated() {
            do throws(WorldFault) {
                let inhabitant = try WorldInhabitant(
                    device, index: index, folder: Self.folder(of: name), seed: radio.seed)
                if inhabitant.peripheral.identifier.text == VirtualAdapter.usualAddress {
                    throw WorldFault(
                        path: "address", message: "\(VirtualAdapter.usualAddress) is the address of the world's adapter"
                    )
                }
                // Two with the same address would be a mistake of this program's.
                if !taken.insert(inhabitant.peripheral.identifier).inserted {
                    throw WorldFault(
                        path: "address", message: "another device has the address \(inhabitant.peripheral.identifier)")
                }
                devices.append(inhabitant)
            } catch {
                throw CommandFailure(.usage, "\(name): \(error.text(ofDevice: index))")
            }
        }
        self.devices = devices
        for device in devices { device.join(radio) }
    }

    /// Takes the devices out of the air.
    func leave() { for device in devices { radio.remove(device.peripheral) } }

    /// Lets the devices live until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            // A world in which nothing happens any more goes on.
            group.addTask { try? await radio.clock.sleepUntilCancelled() }
            for device in devices {
                for life in device.lives { group.addTask { await life(radio.clock) } }
            }
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
}
