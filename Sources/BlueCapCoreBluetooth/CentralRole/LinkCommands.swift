// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The values that are written without a response, in one queue for all characteristics of a peripheral.
///
/// E5: CoreBluetooth drops a value for which it has no room, in silence, so each one waits until there is room, which
/// takes a connection event of the link. The question and the queueing are one step on the executor, so no signal is
/// missed in between. The signal can stay away all the same, so the question is asked again while a value waits.
final class LinkCommands {
    typealias Backend = CoreBluetoothCentralBackend

    private struct Command {
        let request: RequestID
        let characteristic: AttributeID
        let value: Bytes
    }

    /// The time from a question to the next. On a link that has never had room the value is written without it then:
    /// some links do not say at first that they have.
    private static let pause = Duration.milliseconds(20)
    /// How often room is asked for, on a link that has had some: for three seconds of a program that runs. Time in
    /// which it is suspended does not count.
    private static let patience = 150

    private unowned let link: CentralLink
    private var queue = RingBuffer<Command>()
    private var timer: ClockTimer?
    /// Whether CoreBluetooth has once said on this link that there is room.
    private var hasHadRoom = false
    /// How often the first value was asked for in vain.
    private var questionCount = 0

    init(_ link: CentralLink) { self.link = link }

    /// Writes a value when there is room for it. CoreBluetooth writes nothing of a value that the link cannot take, and
    /// says nothing either (C14).
    func add(_ value: Bytes, to id: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        guard let _: CBCharacteristic = link.database.object(id) else { return backend.refuseGone(request) }
        link.noteLength { backend.report($0) }
        let maximum = max(CentralLink.shortestLength, link.peripheral.maximumWriteValueLength(for: .withoutResponse))
        guard value.count <= maximum else {
            return backend.answer(request, .failure(.valueTooLong(count: value.count, maximum: maximum)))
        }
        queue.append(Command(request: request, characteristic: id, value: value))
        pump(backend)
    }

    /// CoreBluetooth has room again.
    func ready(_ backend: isolated Backend) {
        hasHadRoom = true
        pump(backend)
    }

    private func pump(_ backend: isolated Backend) {
        while !queue.isEmpty, hasRoom(backend) { writeFirst(backend) }
        if queue.isEmpty { return stopTimer() }
        guard timer == nil else { return }
        timer = backend.after(Self.pause, on: link) { backend, link in link.commands.askAgain(backend) }
    }

    private func hasRoom(_ backend: isolated Backend) -> Bool {
        let hasRoom = link.peripheral.canSendWriteWithoutResponse
        hasHadRoom = hasHadRoom || hasRoom
        return hasRoom
    }

    /// A value has waited for some time.
    private func askAgain(_ backend: isolated Backend) {
        timer = nil
        if hasRoom(backend) { return pump(backend) }
        questionCount += 1
        if !hasHadRoom {
            backend.statistics.forcedCommands += 1
            writeFirst(backend)
        } else if questionCount >= Self.patience {
            refuseAll(backend)
        }
        pump(backend)
    }

    private func writeFirst(_ backend: isolated Backend) {
        questionCount = 0
        guard let command = queue.popFirst() else { return }
        guard let characteristic: CBCharacteristic = link.database.object(command.characteristic) else {
            return backend.refuseGone(command.request)
        }
        link.peripheral.writeValue(command.value.data, for: characteristic, type: .withoutResponse)
        backend.answer(command.request, .success(.done))
    }

    private func refuseAll(_ backend: isolated Backend) {
        for request in take() {
            backend.statistics.refusedCommands += 1
            backend.answer(request, .failure(.backend(.noRoomForCommands)))
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Removes the values that wait.
    ///
    /// - Parameter services: The services whose values are removed; nil for all.
    /// - Returns: Their requests, in the order in which they were made.
    func take(of services: Set<AttributeID>? = nil) -> [RequestID] {
        var requests: [RequestID] = []
        for _ in 0..<queue.count {
            guard let command = queue.popFirst() else { break }
            if services?.contains(AttributeNumbers.service(of: command.characteristic)) ?? true {
                requests.append(command.request)
            } else {
                queue.append(command)
            }
        }
        if queue.isEmpty {
            stopTimer()
            questionCount = 0
        }
        return requests
    }

    /// The link has ended.
    func end() { stopTimer() }
}

extension BackendFailure {
    fileprivate static var noRoomForCommands: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.NoRoom",
            message: "CoreBluetooth has had no room for a value without a response for three seconds",
            advice: "the value was not written: write it again, slower, or with a response",
            isTransient: true)
    }
}
#endif
