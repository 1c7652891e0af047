// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

extension FakeDaemon {
    /// The choice of a bearer for a device with both radios, as `dev_property_set_prefer_bearer` and
    /// `select_conn_bearer` in `src/device.c` of BlueZ 5.87 have it.
    package struct Bearer: Sendable {
        package private(set) var preferred: String
        private(set) var isLowEnergy = false

        package init(_ preferred: String) {
            self.preferred = preferred
            isLowEnergy = preferred == "le"
        }

        /// The last bearer that was used stays with `last-used`.
        mutating func prefer(_ bearer: String) {
            preferred = bearer
            if bearer != "last-used" { isLowEnergy = bearer == "le" }
        }
    }
}

/// PreferredBearer; on the fake's thread only.
extension FakeDevice {
    func addBearer(to device: inout ExportedInterface) {
        device.property(
            "PreferredBearer", "s", get: { [weak self] in self?.bearer.map { .string($0.preferred) } }
        ) { [weak self] value, call in
            guard let self, bearer != nil, let value = value.stringValue,
                ["last-used", "le", "bredr", "last-seen"].contains(value)
            else { return call.fail(FakeFailure("InvalidArguments", "Invalid arguments in method call")) }
            if bearer?.preferred != value {
                daemon.bearers[address]?.prefer(value)
                // The kernel forgets the device, and an attempt at it (`device_set_auto_connect`).
                if value == "bredr" { isForgottenByKernel = pendingConnect != nil }
                changed(["PreferredBearer": .string(value)])
            }
            call.reply()
        }
    }

    private var bearer: FakeDaemon.Bearer? { daemon.bearers[address] }

    /// Whether a `Connect` of now goes over LE.
    var connectsOverLowEnergy: Bool { bearer?.isLowEnergy ?? true }
}
#endif
