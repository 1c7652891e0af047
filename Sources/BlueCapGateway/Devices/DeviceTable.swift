// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime

/// The lives of the devices of a gateway. Devices with values are in the order in which these were first heard.
struct DeviceTable {
    private var lives = OrderedTable<PeerIdentifier, DeviceLife>()
    /// How many devices have values.
    private(set) var heardCount = 0
    /// How many devices have none, and may be kept by the broker.
    private(set) var keptCount = 0

    subscript(device: PeerIdentifier) -> DeviceLife? { lives[device] }

    /// The devices, each of which may be removed meanwhile.
    var devices: [PeerIdentifier] { lives.keys }

    /// The devices whose lives have a property, in the order of their addresses.
    func devices(where isIncluded: (DeviceLife) -> Bool) -> [PeerIdentifier] {
        lives.filter { isIncluded($0.value) }.keys.sorted()
    }

    /// The device that was heard longest ago, without one and without connected devices; nil if there is none. A device
    /// whose values stay comes behind the others, as it is seldom on.
    func oldest(but other: PeerIdentifier) -> PeerIdentifier? {
        var oldest: (device: PeerIdentifier, keepsValues: Bool, heardAt: Duration)?
        for (device, life) in lives where device != other && !life.isLinked {
            guard let values = life.values else { continue }
            let (keepsValues, heardAt) = (values.keepsValues, values.heardAt)
            let isOlder = oldest.map { keepsValues == $0.keepsValues ? heardAt < $0.heardAt : $0.keepsValues } ?? true
            if isOlder { oldest = (device, keepsValues, heardAt) }
        }
        return oldest?.device
    }

    /// Lets an event happen in the life of a device.
    ///
    /// - Parameter isBeginning: Whether a life may begin with it.
    /// - Returns: The actions for it.
    mutating func change(
        _ device: PeerIdentifier, isBeginning: Bool = false, _ event: (inout DeviceLife) -> [DeviceLife.Action]
    ) -> [DeviceLife.Action] {
        if isBeginning, lives[device] == nil { lives[device] = DeviceLife(device) }
        guard let change = lives[device]?.take(event) else { return [] }
        heardCount += (change.new.isHeard ? 1 : 0) - (change.old.isHeard ? 1 : 0)
        keptCount += (change.new.isKept ? 1 : 0) - (change.old.isKept ? 1 : 0)
        if change.new.isOver {
            lives[device] = nil
        } else if change.new.isHeard, !change.old.isHeard {
            // It goes to the end of the devices that are heard.
            let life = lives.removeValue(forKey: device)
            lives[device] = life
        }
        return change.actions
    }
}

extension DeviceLife {
    fileprivate struct Facts {
        let isHeard: Bool
        let isKept: Bool
        let isOver: Bool
    }

    private var facts: Facts { Facts(isHeard: values != nil, isKept: isKept, isOver: isOver) }

    fileprivate mutating func take(
        _ event: (inout DeviceLife) -> [Action]
    ) -> (old: Facts, actions: [Action], new: Facts) {
        let old = facts
        let actions = event(&self)
        return (old, actions, facts)
    }
}
#endif
