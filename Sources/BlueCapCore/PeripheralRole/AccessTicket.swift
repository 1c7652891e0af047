// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The right to answer one access of a central, used once, from anywhere.
final class AccessTicket: Sendable {
    private struct State {
        var isOpen = true
        /// What is answered when nobody does.
        var fallback = ATTError.unlikelyError
    }

    let access: AccessID
    /// The error of the other kind of access, which no platform sends for this one.
    private let unfit: ATTError
    private weak let manager: PeripheralManager?
    private let state = Locked(State())

    init(_ access: AttributeAccess, manager: PeripheralManager) {
        self.access = access.id
        unfit = if case .read = access.kind { .writeNotPermitted } else { .readNotPermitted }
        self.manager = manager
    }

    /// Whether nobody has answered yet, and it is not too late.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Takes the right to answer; false when it is taken, or worth nothing any more.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
    }

    /// Answers, after ``claim()``. False when nobody is there to pass it on.
    func send(_ bytes: Bytes) -> Bool { submit(.success(bytes)) }

    /// Answers with an error, after ``claim()``. False when 0x0E is sent in its place.
    func send(_ error: ATTError) -> Bool {
        guard let manager else { return false }
        if error != unfit, manager.isSendable(error) { return submit(.failure(error)) }
        manager.later { $0.replaced(error) }
        _ = submit(.failure(.unlikelyError))
        return false
    }

    /// Refuses bytes that are no value of their type, after ``claim()``.
    func refuse(_ error: SerDeError) {
        guard let manager else { return }
        let meant: ATTError =
            switch error {
            case .truncated, .trailingBytes: .invalidAttributeValueLength
            case .invalidValue, .invalidText: .valueNotAllowed
            }
        let answer = manager.isSendable(meant) ? meant : .unlikelyError
        manager.later { $0.refusedUndecodable(error, answer) }
        _ = submit(.failure(answer))
    }

    /// A stream had no room for the request. Another may have it still.
    func droppedByStream() { state.withLock { $0.fallback = .insufficientResources } }

    /// Nobody can answer any more.
    func abandon() {
        if claim() { _ = send(state.withLock { $0.fallback }) }
    }

    private func submit(_ result: Result<Bytes, ATTError>) -> Bool {
        guard let manager else { return false }
        let access = access
        manager.later { $0.answer(access, result) }
        return true
    }
}
