// SPDX-License-Identifier: MIT

public import BlueCapCore

extension VirtualRadio {
    /// Puts a twin into the air as a virtual peripheral.
    ///
    /// ```swift
    /// let lamp = radio.add(twin: try Twin(json: json))
    /// ```
    ///
    /// It has the twin's address, advertises what the twin advertises, and has its database without Generic Access and
    /// Generic Attribute, each service at its handle where that is free. It keeps values written to it. Once a central
    /// subscribes, the characteristic's notifications are sent on the radio's clock, until the last subscription ends;
    /// its value follows them.
    ///
    /// It is heard as strongly as the twin was, but with -110 dBm or more, the least that virtual radios receive. An
    /// address that another peripheral of the radio has is replaced.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: How the values that it notified are sent again.
    /// - Returns: The peripheral, in the air.
    @discardableResult
    public func add(twin: Twin, replay: TwinReplay = .once) -> VirtualPeripheral {
        let isTaken = peripherals.contains { $0.identifier == twin.address }
        let peripheral = VirtualPeripheral(
            twin: isTaken ? twin.withoutAddress : twin, replay: replay)
        add(peripheral)
        return peripheral
    }
}

extension Twin {
    fileprivate var withoutAddress: Twin {
        var copy = self
        copy.address = nil
        return copy
    }
}
