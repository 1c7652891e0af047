// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of CoreBluetooth, kept so that the compiler reports the names here.
extension Peripheral {
    /// CoreBluetooth's name for ``Service/discoverCharacteristics(_:timeout:)``.
    @available(*, unavailable, message: "call service.discoverCharacteristics(_:timeout:), or discover() for all of it")
    public func discoverCharacteristics(_ uuids: [BluetoothUUID]?, for service: Service) {}

    /// CoreBluetooth's name for ``Service/discoverIncludedServices(_:timeout:)``.
    @available(*, unavailable, message: "call service.discoverIncludedServices(_:timeout:)")
    public func discoverIncludedServices(_ uuids: [BluetoothUUID]?, for service: Service) {}

    /// CoreBluetooth's name for ``Characteristic/discoverDescriptors(timeout:)``.
    @available(*, unavailable, message: "call characteristic.discoverDescriptors(timeout:)")
    public func discoverDescriptors(for characteristic: Characteristic) {}

    /// CoreBluetooth's name for ``Characteristic/read(timeout:)``.
    @available(*, unavailable, message: "call characteristic.read(timeout:), which returns the value")
    public func readValue(for characteristic: Characteristic) {}

    /// CoreBluetooth's name for ``Descriptor/read(timeout:)``.
    @available(*, unavailable, message: "call descriptor.read(timeout:), which returns the value")
    public func readValue(for descriptor: Descriptor) {}

    /// CoreBluetooth's name for ``Characteristic/write(_:kind:timeout:)-(Bytes,_,_)``.
    @available(*, unavailable, message: "call characteristic.write(_:kind:timeout:), which returns when it is written")
    public func writeValue(_ value: some Sequence<UInt8>, for characteristic: Characteristic, type: WriteKind) {}

    /// CoreBluetooth's name for ``Descriptor/write(_:timeout:)-(Bytes,_)``.
    @available(*, unavailable, message: "call descriptor.write(_:timeout:), which returns when it is written")
    public func writeValue(_ value: some Sequence<UInt8>, for descriptor: Descriptor) {}

    /// CoreBluetooth's name for
    /// ``Characteristic/notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    @available(*, unavailable, message: "loop over characteristic.notifications(); leaving the loop switches them off")
    public func setNotifyValue(_ isOn: Bool, for characteristic: Characteristic) {}

    /// CoreBluetooth's name for ``maximumWriteLength(for:)``.
    @available(*, unavailable, renamed: "maximumWriteLength(for:)")
    public func maximumWriteValueLength(for kind: WriteKind) -> Int { maximumWriteLength(for: kind) }

    /// Writes without a response wait by themselves.
    @available(*, unavailable, message: "write(_:kind: .withoutResponse) returns when the next value can go")
    public var canSendWriteWithoutResponse: Bool { true }
}

/// Names of CoreBluetooth without the characteristic, which the call has before it.
extension Characteristic {
    /// CoreBluetooth's name for ``read(timeout:)``.
    @available(*, unavailable, renamed: "read(timeout:)")
    public func readValue() {}

    /// CoreBluetooth's name for ``write(_:kind:timeout:)-(Bytes,_,_)``.
    @available(*, unavailable, renamed: "write(_:kind:timeout:)")
    public func writeValue(_ value: some Sequence<UInt8>, type: WriteKind = .withResponse) {}

    /// CoreBluetooth's name for ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    @available(*, unavailable, message: "loop over notifications(); leaving the loop switches them off")
    public func setNotifyValue(_ isOn: Bool) {}
}
