// SPDX-License-Identifier: MIT

/// Names of CoreBluetooth, kept so that the compiler reports the names here.
extension PeripheralManager {
    /// CoreBluetooth's dictionary for ``startAdvertising(_:timeout:)-(Advertisement,_)``.
    @available(*, unavailable, message: "call startAdvertising(_:serviceUUIDs:timeout:), or with an Advertisement")
    public nonisolated func startAdvertising(_ data: [String: Any]?) {}

    /// CoreBluetooth's name for ``MutableCharacteristic/update(_:)-(Bytes)``.
    @available(*, unavailable, message: "call characteristic.update(_:), or update(_:for:) for one central; it queues")
    public nonisolated func updateValue(
        _ value: some Sequence<UInt8>, for characteristic: MutableCharacteristic, onSubscribedCentrals: [Central]?
    ) -> Bool { false }

    /// CoreBluetooth's name for ``WriteRequest/respond(_:)`` and ``WriteRequest/accept()``.
    @available(*, unavailable, message: "call request.accept() or request.respond(_:)")
    public nonisolated func respond(to request: WriteRequest, withResult result: ATTError) {}

    /// CoreBluetooth's name for ``AttributeReadRequest/respond(_:)-(Bytes)``.
    @available(*, unavailable, message: "call request.respond(_:) with the value, or with an error")
    public nonisolated func respond(to request: AttributeReadRequest, withResult result: ATTError) {}
}
