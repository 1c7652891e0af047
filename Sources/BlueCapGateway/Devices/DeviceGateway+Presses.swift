// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// Presses, which are published one by one.
extension DeviceGateway {
    /// A device that repeats its last frame for long is heard within this time.
    private static let timeOfOldFrames = Duration.seconds(10)
    private static let maximumElsewhere = 32

    /// Whether a frame of the device may be one of before the radio came on: it is the first one since.
    func isOld(_ device: PeerIdentifier) -> Bool {
        guard let since = listeningSince, clock.elapsed - since < Self.timeOfOldFrames else { return false }
        return lives[device]?.values.map { $0.heardAt < since } ?? true
    }

    /// Takes a press that another gateway of the group has published, also of a device that is not heard yet.
    func take(_ press: PressLog.Heard, of device: PeerIdentifier) {
        if lives[device]?.values != nil { return change(device) { $0.pressedElsewhere(press, at: $1) } }
        pressedElsewhere = (pressedElsewhere + [(device, press, clock.elapsed)]).suffix(Self.maximumElsewhere)
    }

    func press(_ buttons: [PressLog.Entry], number: UInt64?, isOld: Bool, of device: PeerIdentifier) {
        for (other, press, time) in pressedElsewhere where other == device {
            if clock.elapsed - time < Self.timeOfOldFrames {
                change(device) { $0.pressedElsewhere(press, at: $1) }
            }
        }
        pressedElsewhere.removeAll { $0.device == device }
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
