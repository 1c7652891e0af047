// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The values that are written without a response, in one queue for all characteristics of a peripheral.
///
/// E5: CoreBluetooth drops a value for which it has no room, so each one waits until there is room. The question and
/// the queueing are one step on the executor, so no signal is missed in between. The signal can stay away all the
/// same: after 20 ms the value is written without it.
final class LinkCommands {
    typealias Backend = CoreBluetoothCentralBackend

    private struct Command {
        let request: RequestID
        let characteristic: AttributeID
        let value: Bytes
    }

    /// How long a value waits for the signal.
    private static let patience = Duration.milliseconds(20)

    private unowned let link: CentralLink
    private var queue = RingBuffer<Command>()
    private var timer: ClockTimer?

    init(_ link: CentralLink) { self.link = link }

    /// Writes a value when there is room for it.
    func add(_ value: Bytes, to id: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        guard let _: CBCharacteristic = link.database.object(id) else { return backend.refuseGone(request) }
        link.noteLength { backend.report($0) }
        queue.append(Command(request: request, characteristic: id, value: value))
        pump(backend)
    }

    /// CoreBluetooth has room again.
    func ready(_ backend: isolated Backend) {
        stopTimer()
        pump(backend)
    }

    private func pump(_ backend: isolated Backend) {
        while !queue.isEmpty, link.peripheral.canSendWriteWithoutResponse || backend.breaks(.roomForCommands) {
            writeFirst(backend)
        }
        if queue.isEmpty { return stopTimer() }
        guard timer == nil else { return }
        timer = backend.after(Self.patience, on: link) { backend, link in
            backend.statistics.forcedCommands += 1
            link.commands.force(backend)
        }
    }

    private func force(_ backend: isolated Backend) {
        timer = nil
        writeFirst(backend)
        pump(backend)
    }

    private func writeFirst(_ backend: isolated Backend) {
        guard let command = queue.popFirst() else { return }
        guard let characteristic: CBCharacteristic = link.database.object(command.characteristic) else {
            return backend.refuseGone(command.request)
        }
        link.peripheral.writeValue(command.value.data, for: characteristic, type: .withoutResponse)
        backend.answer(command.request, .success(.done))
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Removes the values that wait.
    ///
    /// - Returns: Their requests, in the order in which they were made.
    func takeAll() -> [RequestID] {
        stopTimer()
        var requests: [RequestID] = []
        while let command = queue.popFirst() { requests.append(command.request) }
        return requests
    }

    /// The link has ended.
    func end() { stopTimer() }
}
#endif
