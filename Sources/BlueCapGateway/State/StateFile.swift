// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Foundation

/// The file in which a gateway keeps its ``GatewayState``, replaced as a whole and locked for one gateway.
///
/// A fault of it is reported once for each reason, and the gateway goes on without it.
package final class StateFile: Sendable {
    private struct State {
        /// The state that was handed over last; nil where that was not written.
        var written: GatewayState?
        var writtenAt: Duration?
        var pause = StateFile.pause
        var failedCount = 0
        var reported: Set<String> = []
    }

    /// The shortest time between two writings, and again for each ``byteCountOfPause`` of the file.
    private static let pause = Duration.seconds(1)
    private static let byteCountOfPause = 1 << 16
    /// The same for counters alone, which change with each frame.
    private static let pauseOfCounters = Duration.seconds(600)

    /// The state that the last run has left.
    package let restored: GatewayState
    private let gateway: String
    private let journal: (any RestorationJournal)?
    private let report: @Sendable (String) -> Void
    private let state: Locked<State>

    /// Opens the file of a gateway, and reads it.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is made where it is missing.
    ///   - gateway: The name of the gateway.
    ///   - report: Takes each reason for which the file is not read or not written.
    package init(folder: String, gateway: String, report: @escaping @Sendable (String) -> Void) {
        (self.gateway, self.report) = (gateway, report)
        var restored = GatewayState()
        var journal: (any RestorationJournal)?
        do throws(RestorationFailure) {
            let opened = try FileRestorationStore(folder: folder).open("gateway.\(gateway)")
            restored = try Self.read(opened, gateway, report)
            journal = opened
        } catch {
            report(Self.text(error))
        }
        (self.journal, self.restored) = (journal, restored)
        state = Locked(State(written: restored, failedCount: journal == nil ? 1 : 0))
    }

    /// The contents of a file, which is moved out of the way where it cannot be used.
    private static func read(
        _ journal: any RestorationJournal, _ gateway: String, _ report: (String) -> Void
    ) throws(RestorationFailure) -> GatewayState {
        do throws(RestorationFailure) {
            guard let bytes = try journal.read() else { return GatewayState() }
            if let state = try? GatewayState(Array(bytes), of: gateway) { return state }
        } catch {
            if case .inaccessible = error.kind { throw error }
        }
        let place = journal.setAside().map { ", and is kept as \($0)" } ?? ""
        report("\(journal.location) is damaged, or not of this gateway\(place): starting without it")
        return GatewayState()
    }

    /// How often the file could not be opened or written.
    package var failedCount: Int { state.withLock { $0.failedCount } }

    /// Takes the state of now, and writes it if it has changed and its time has come. To be called once a second.
    package func save(_ contents: GatewayState, at time: Duration) {
        guard let journal else { return }
        let isDue = state.withLock { state in
            if contents == state.written { return false }
            let isOfCounters = contents.messages == state.written?.messages
            let pause = isOfCounters ? Self.pauseOfCounters : state.pause
            if let writtenAt = state.writtenAt, time - writtenAt < pause { return false }
            state.writtenAt = time
            return true
        }
        if isDue { write(contents, journal) }
    }

    /// Writes the state at the end of a gateway, and closes the file.
    ///
    /// - Returns: How many messages are in it.
    package func finish(_ contents: GatewayState) async -> Int {
        guard let journal else { return 0 }
        let before = failedCount
        let count = write(contents, journal)
        for _ in 0..<200 where journal.isWriting {
            await withCheckedContinuation { continuation in
                _ = BlueCapClock.continuous.schedule(after: .milliseconds(10)) { continuation.resume() }
            }
        }
        let isWritten = !journal.isWriting && failedCount == before
        journal.close()
        return isWritten ? count : 0
    }

    @discardableResult
    private func write(_ contents: GatewayState, _ journal: any RestorationJournal) -> Int {
        var fitting = contents
        fitting.fit()
        let bytes = fitting.bytes(of: gateway)
        state.withLock {
            $0.written = contents
            $0.pause = Self.pause * (1 + bytes.count / Self.byteCountOfPause)
        }
        journal.write(Bytes(bytes)) { [weak self] in self?.fail($0) }
        return fitting.messages.count
    }

    private func fail(_ failure: RestorationFailure) {
        let reason = Self.text(failure)
        let isNew = state.withLock { state in
            state.failedCount += 1
            state.written = nil
            return state.reported.insert(reason).inserted
        }
        if isNew { report(reason) }
    }

    private static func text(_ failure: RestorationFailure) -> String {
        switch failure.kind {
        case .inUse: "another gateway of this name has \(failure.location): going on without it"
        case .inaccessible(let number):
            unsafe "\(failure.location) cannot be used (\(String(cString: strerror(number)))): going on without it"
        default: "\(failure.location) cannot be used: going on without it"
        }
    }
}
#endif
