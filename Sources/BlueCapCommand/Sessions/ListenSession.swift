// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime

/// A source of the values that a device sends to another program.
protocol PassiveSource: Sendable {
    /// Hands every value that is heard to `body`, until the task is cancelled.
    func listen(to device: String, _ body: @Sendable (PassiveValue) -> Void) async

    /// The device as it is known now, without notifications; nil where it is not. Once it has answered it answers in a
    /// cancelled task, too.
    ///
    /// - Throws: ``CommandFailure`` where nothing can be heard.
    func twin(of device: String) async throws -> Twin?
}

/// A value that another program read or was notified of.
struct PassiveValue: Sendable, Hashable {
    /// The handle of the characteristic's value, as in the twin.
    var characteristic: UInt16
    var value: Bytes
    var isNotification: Bool
}

/// Records a device that another program uses, without asking anything of it.
struct ListenSession: Sendable {
    let source: any PassiveSource
    let device: String
    var duration = Duration.seconds(10)
    /// The maximum number of notifications that are kept of one characteristic.
    var maximumCount = 100_000
    let save: @Sendable (String) throws -> Void
    /// Is given the twin once it is saved.
    var recorded: @Sendable (Twin) throws -> Void = { _ in }
    var progress: @Sendable (String) -> Void = { report($0) }
    let clock: BlueCapClock
    /// How long to wait for the last look at the device, and where it is taken; nil for any thread.
    var patience = OrderlyEnd.patience
    var executor: (any TaskExecutor)?

    /// Listens for the duration, or until the task is cancelled, and saves the twin.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` where the device is not known to bluetoothd.
    func run() async throws {
        guard let first = try await source.twin(of: device) else {
            throw CommandFailure(
                .tryAgain,
                "bluetoothd knows no device '\(device)': with --passive another program has to have found it already")
        }
        progress("listening to \(device) for \(TextLayout.seconds(duration)), or until Ctrl-C")
        let start = clock.elapsed
        let (heard, leftOut) = (Locked<[UInt16: [TwinNotification]]>([:]), Locked(0))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await source.listen(to: device) { value in
                    guard value.isNotification else { return }
                    heard.withLock { heard in
                        guard heard[value.characteristic, default: []].count < maximumCount else {
                            return leftOut.withLock { $0 += 1 }
                        }
                        heard[value.characteristic, default: []].append(
                            TwinNotification(after: clock.elapsed - start, value: value.value))
                    }
                }
            }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
        // Also after Ctrl-C, which cancels the task: the values heard are saved then, too.
        typealias Look = Result<Twin?, any Error>
        let last = await OrderlyEnd.wait(patience, on: executor) { [source, device] () async -> Look in
            do { return .success(try await source.twin(of: device)) } catch { return .failure(error) }
        }
        if last == nil { progress("bluetoothd does not answer: the values are those of the beginning") }
        guard var twin = try last?.get() ?? (last == nil ? first : nil) else {
            throw CommandFailure(.tryAgain, "bluetoothd has forgotten '\(device)' meanwhile: nothing was recorded")
        }
        twin.take(heard.withLock { $0 }, since: first)
        try save(twin.withinLimits().json)
        progress("recorded \(twin.summary)")
        if case let count = leftOut.withLock({ $0 }), count > 0 {
            progress(
                "left out the last \(TextLayout.count(count, "notification")): no more than \(maximumCount) of one "
                    + "characteristic are kept")
        }
        try recorded(twin)
        if twin.services.isEmpty {
            throw CommandFailure(
                .tryAgain,
                "the twin has no services: bluetoothd has not discovered any, as no program is connected to '\(device)'"
            )
        }
    }
}

extension Twin {
    /// Puts notifications where their characteristics are, by handle. bluetoothd keeps one value of a characteristic,
    /// whether read or notified: a characteristic that notified gets its earlier value again.
    fileprivate mutating func take(_ heard: [UInt16: [TwinNotification]], since first: Twin) {
        var values: [UInt16: Bytes] = [:]
        for characteristic in first.services.flatMap(\.characteristics) {
            if let handle = characteristic.handle { values[handle] = characteristic.value }
        }
        for service in services.indices {
            for index in services[service].characteristics.indices {
                guard let handle = services[service].characteristics[index].handle, let sent = heard[handle] else {
                    continue
                }
                services[service].characteristics[index].notifications = sent
                services[service].characteristics[index].value = values[handle]
            }
        }
    }
}

extension RadioOptions {
    /// A source that listens to bluetoothd.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` in a build without BlueZ.
    func listener() throws(CommandFailure) -> any PassiveSource {
        #if os(Linux) && BlueZ
        return BlueZSource(BlueZListener(adapter: selection))
        #else
        throw CommandFailure(.noRadio, "--passive listens to bluetoothd, and this program was built without BlueZ")
        #endif
    }
}

#if os(Linux) && BlueZ
/// A source of the values that bluetoothd announces.
struct BlueZSource: PassiveSource {
    private let listener: BlueZListener

    init(_ listener: BlueZListener) { self.listener = listener }

    func listen(to device: String, _ body: @Sendable (PassiveValue) -> Void) async {
        for await value in await listener.values(of: device) {
            body(
                PassiveValue(
                    characteristic: value.characteristic, value: value.value, isNotification: value.isNotification))
        }
    }

    func twin(of device: String) async throws -> Twin? {
        var twin = try await listener.peer(device)
        twin?.recorded = .now
        return twin
    }
}
#endif
