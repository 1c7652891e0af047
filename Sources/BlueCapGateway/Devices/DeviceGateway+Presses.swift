// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// Presses, which are published one by one.
extension DeviceGateway {
    /// A device that repeats its last frame for long is heard within this time.
    private static let timeOfOldFrames = Duration.seconds(10)

    /// Whether a frame of the device may be one of before the radio came on: it is the first one since.
    func isOld(_ device: PeerIdentifier) -> Bool {
        guard let since = listeningSince, clock.elapsed - since < Self.timeOfOldFrames else { return false }
        return lives[device]?.values.map { $0.heardAt < since } ?? true
    }

    func press(_ buttons: [PressLog.Entry], number: UInt64?, isOld: Bool, of device: PeerIdentifier) {
        change(device) { $0.pressed(buttons, number: number, isOld: isOld, at: $1) }
        if lives[device]?.hasPresses == true { pressed.insert(device) }
    }

    /// Publishes the presses whose time has come.
    func publishPresses() {
        for device in pressed {
            change(device) { $0.publishPresses(at: $1) }
            if lives[device]?.hasPresses != true { pressed.remove(device) }
        }
    }
}
#endif
