// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth

/// The advertisement, of which CoreBluetooth has one (H3).
final class LocalAdvertising {
    typealias Backend = CoreBluetoothPeripheralBackend

    /// How often a start is repeated that CoreBluetooth refuses while it stops, and the time from one to the next: for
    /// two seconds of a program that runs. Time in which it is suspended does not count.
    private static let repeating = (limit: 20, pause: Duration.milliseconds(100))
    /// How many seconds CoreBluetooth may take to answer a start, of a program that runs as well.
    private static let patience = 10
    /// How many of these seconds a start waits for another answer than a refusal that may be that of an earlier one.
    private static let doubt = 2

    private struct Current {
        let id: AdvertisementID
        var content: Advertisement
    }

    private struct Start {
        let request: RequestID
        /// Whether the advertisement was on the air before.
        let isChange: Bool
        /// Counts the seconds in which there is no answer.
        var timer: ClockTimer?
        var secondCount = 0
        /// The refusal that may be that of an earlier start, which was given up, and the seconds since then.
        var doubtful: (error: PlatformError, secondCount: Int)?
    }

    private var current: Current?
    /// The starts that CoreBluetooth has not answered, oldest first.
    private var starts: [Start] = []
    /// The starts that were given up, and may be answered still.
    private var givenUpCount = 0
    /// How often a start may still be repeated after the last stop.
    private var repeatsLeft = 0
    /// Repeats a start that CoreBluetooth refused while it had not stopped yet.
    private var retry: ClockTimer?
    /// The advertisement that CoreBluetooth restored, until the manager advertises.
    private var restored: Advertisement?

    // MARK: Commands

    /// Puts an advertisement on the air. One that CoreBluetooth restored is taken over, and answered at once.
    func start(
        _ id: AdvertisementID, _ content: Advertisement, _ request: RequestID, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        if let current, current.id != id { return backend.answer(request, .failure(.backend(.alreadyAdvertising))) }
        let isOnAir = manager.isAdvertising && restored.map { $0.isSentAlike(content) } ?? false
        restored = nil
        if isOnAir {
            current = Current(id: id, content: content)
            return backend.answer(request, .success(()))
        }
        begin(id, content, Start(request: request, isChange: false), manager, backend)
    }

    /// Changes the advertisement: CoreBluetooth stops it and starts it again.
    func change(
        _ id: AdvertisementID, _ content: Advertisement, _ request: RequestID, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        guard current?.id == id else { return backend.answer(request, .failure(.backend(.notAdvertising))) }
        begin(id, content, Start(request: request, isChange: true), manager, backend)
    }

    /// Takes the advertisement from the air. H4: there is no answer to that.
    func stop(_ id: AdvertisementID, _ manager: CBPeripheralManager, _ backend: isolated Backend) {
        guard current?.id == id else { return }
        current = nil
        giveUpRetry(backend)
        halt(manager)
    }

    /// Has CoreBluetooth stop. H4: nothing says when it has.
    func halt(_ manager: CBPeripheralManager) {
        manager.stopAdvertising()
        repeatsLeft = Self.repeating.limit
    }

    private func begin(
        _ id: AdvertisementID, _ content: Advertisement, _ start: Start, _ manager: CBPeripheralManager,
        _ backend: isolated Backend
    ) {
        if manager.isAdvertising || current != nil { halt(manager) }
        giveUpRetry(backend)
        current = Current(id: id, content: content)
        starts.append(start)
        waitForAnswer(to: starts.count - 1, backend)
        manager.startAdvertising(content.dictionary)
    }

    private func waitForAnswer(to place: Int, _ backend: isolated Backend) {
        let request = starts[place].request
        starts[place].timer = backend.clock.schedule(after: .seconds(1)) { [weak backend] in
            backend?.later { $0.advertising.secondPassed(for: request, $0) }
        }
    }

    private func secondPassed(for request: RequestID, _ backend: isolated Backend) {
        guard let place = starts.firstIndex(where: { $0.request == request }) else { return }
        starts[place].secondCount += 1
        starts[place].doubtful?.secondCount += 1
        let isOver = starts[place].secondCount >= Self.patience
        if let doubtful = starts[place].doubtful, isOver || doubtful.secondCount >= Self.doubt {
            // The earlier start has no answer, as answers come in order: this is the start's own.
            givenUpCount = 0
            finish(place, doubtful.error, backend)
        } else if isOver {
            giveUp(place, backend)
        } else {
            waitForAnswer(to: place, backend)
        }
    }

    // MARK: A stop that takes time

    /// Starts again after a pause, if an advertisement of this program is still on its way from the air (H4).
    ///
    /// - Returns: Whether the start is under way.
    private func startsAgain(_ error: PlatformError?, _ backend: isolated Backend) -> Bool {
        guard error?.isAlreadyAdvertising == true, starts.count == 1, let content = current?.content, repeatsLeft > 0
        else { return false }
        repeatsLeft -= 1
        retry = backend.clock.schedule(after: Self.repeating.pause) { [weak backend] in
            backend?.later { $0.advertising.startAgain(content, $0) }
        }
        return true
    }

    private func startAgain(_ content: Advertisement, _ backend: isolated Backend) {
        guard retry.take() != nil else { return }
        backend.radio.poweredOn?.startAdvertising(content.dictionary)
    }

    /// The start that waits is wanted no more, and no callback will come for it.
    private func giveUpRetry(_ backend: isolated Backend) {
        guard let timer = retry.take() else { return }
        timer.cancel()
        starts.first?.timer?.cancel()
        backend.answer(starts.removeFirst().request, .failure(.backend(.notAdvertising)))
    }

    /// CoreBluetooth does not answer a start, for which every later one would wait.
    private func giveUp(_ place: Int, _ backend: isolated Backend) {
        let start = starts.remove(at: place)
        if retry == nil { givenUpCount += 1 }
        let ended = place == starts.count ? current.take() : nil
        if ended != nil, let manager = backend.radio.poweredOn { halt(manager) }
        if starts.isEmpty { retry.take()?.cancel() }
        backend.emit(.reply(start.request, .failure(.backend(.unansweredStart))))
        if let ended, start.isChange { backend.emit(.advertisingEnded(ended.id, .unansweredStart)) }
    }

    // MARK: Callbacks

    /// A start was carried out, or refused (H4).
    func started(_ error: PlatformError?, _ backend: isolated Backend) {
        let isLate = isLate(error, backend)
        if isLate || starts.isEmpty || retry != nil {
            if isLate, let error, !starts.isEmpty, retry == nil, starts[0].doubtful == nil {
                starts[0].doubtful = (error, 0)
                return
            }
            haltUnwanted(backend)
            return backend.countStray()
        }
        if starts[0].doubtful.take() != nil { backend.countStray() }
        if startsAgain(error, backend) { return }
        finish(0, error, backend)
    }

    private func finish(_ place: Int, _ error: PlatformError?, _ backend: isolated Backend) {
        if error == nil { repeatsLeft = 0 }
        let start = starts.remove(at: place)
        start.timer?.cancel()
        let isLast = place == starts.count
        let ended = current
        if error != nil, isLast { current = nil }
        backend.emit(.reply(start.request, error.map { .failure($0.operationFailure) } ?? .success(())))
        // It was on the air before, and is no longer.
        if let error, let ended, isLast, start.isChange {
            backend.emit(.advertisingEnded(ended.id, error.linkFailure))
        }
    }

    /// Whether a callback is the answer to a start that was given up, and not to the next one. Nothing in it tells: it
    /// is, unless there is an advertisement on the air, or no other answer follows.
    private func isLate(_ error: PlatformError?, _ backend: isolated Backend) -> Bool {
        if givenUpCount == 0 || error?.isAlreadyAdvertising == true { return false }
        if error == nil, backend.radio.poweredOn?.isAdvertising == true {
            // The answers come in order.
            givenUpCount = 0
            return false
        }
        givenUpCount -= 1
        return true
    }

    /// An advertisement whose start was given up may be on the air after all.
    private func haltUnwanted(_ backend: isolated Backend) {
        guard current == nil, restored == nil, let manager = backend.radio.poweredOn, manager.isAdvertising else {
            return
        }
        halt(manager)
    }

    /// Nothing is advertised any more.
    func drop() {
        current = nil
        restored = nil
        for start in starts { start.timer?.cancel() }
        starts = []
        givenUpCount = 0
        retry?.cancel()
        retry = nil
    }

    /// Keeps the advertisement that CoreBluetooth restored (R3).
    func restore(_ advertisement: Advertisement?) { restored = advertisement }
}

extension BackendFailure {
    fileprivate static var alreadyAdvertising: BackendFailure {
        BackendFailure(
            name: "CBError.alreadyAdvertising", message: "CoreBluetooth has one advertisement",
            advice: "stop the other advertisement first")
    }

    fileprivate static var notAdvertising: BackendFailure {
        BackendFailure(name: "CoreBluetooth.notAdvertising", message: "this advertisement is not on the air")
    }

    fileprivate static var unansweredStart: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.unansweredStart",
            message: "CoreBluetooth did not say that the advertisement is on the air")
    }
}
#endif
