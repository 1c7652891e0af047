// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

extension DeviceLife {
    /// An action for the gateway to carry out.
    enum Action: Hashable {
        /// The description for Home Assistant is to be published.
        case describe
        case publishAvailability(Bool)
        case publishState
        case publishPress(PressLog.Heard)
        /// All messages of the device are to be removed from the broker.
        case remove
        /// This gateway hears the device, with a strength, and may claim it.
        case claim(rssi: Int?)
        /// This gateway does not publish the device any more, and gives its claim back.
        case release
        /// An owner is to remove the messages of the device.
        case seekOwner(Bool)
        /// The end of the device is to be reported.
        case report
    }

    /// The circumstances of an event.
    struct Moment {
        var time: Duration
        /// The time of the clock on the wall, which values have that stay.
        var date: Timestamp
        /// Whether this gateway publishes the device now.
        var isOwner: Bool
        var pace: DevicePace
    }

    /// The future of a device that has no values.
    struct Outlook {
        /// Whether a rule may publish it.
        var mayBePublished: Bool
        /// Whether there is room for one more device that is not heard.
        var hasRoom: Bool
        /// How long a device whose presence is published may be missed; nil for another device.
        var patience: Duration?
    }

    /// The availability of a device that the broker keeps.
    enum KeptAvailability: Hashable {
        case none
        case offline
        case online
        case unreadable

        init(_ payload: [UInt8]) {
            if payload.isEmpty {
                self = .none
            } else if payload.elementsEqual("offline".utf8) {
                self = .offline
            } else {
                self = payload.elementsEqual("online".utf8) ? .online : .unreadable
            }
        }
    }

    enum Stage: String {
        /// It has no values, and the broker keeps no messages of it.
        case unknown
        /// It has no values, and the broker may keep messages of an earlier run, or of another gateway.
        case kept
        /// It has values, and no availability was published for them.
        case silent
        case available
    }

    enum Description {
        /// Home Assistant has none, or not with this name and these kinds of values.
        case due
        /// It has one with entities that are no more, and is to forget them first.
        case narrowed
        /// It says that states hold for a time.
        case published(expiry: Duration)
    }
}
#endif
