// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The right to answer one access of a central once, from any thread.
final class AccessTicket: Sendable {
    private struct State {
        var isOpen = true
        /// The answer if the app gives none.
        var fallback = ATTError.unlikelyError
    }

    let access: AccessID
    /// The error for the other kind of access, which no platform sends for this kind.
    private let unfit: ATTError
    /// A Boolean value that is false for a command, whose answer reaches nobody.
    private let isAwaited: Bool
    private weak let manager: PeripheralManager?
    private let state = Locked(State())

    init(_ access: AttributeAccess, manager: PeripheralManager?, isAwaited: Bool = true) {
        self.access = access.id
        unfit = if case .read = access.kind { .writeNotPermitted } else { .readNotPermitted }
        self.isAwaited = isAwaited
        self.manager = manager
    }

    /// A Boolean value that is true if there is no answer yet and the time for it is not over.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Takes the right to answer. Returns false if it is already taken or no longer valid.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
    }

    /// Answers, after ``claim()``. Returns false if the manager is released.
    func send(_ bytes: Bytes) -> Bool { submit(.success(bytes)) }

    /// Answers with an error, after ``claim()``. Returns false if 0x0E is sent in its place, or the manager is
    /// released.
    func send(_ error: ATTError) -> Bool {
        if !isAwaited { return true }
        guard let manager else { return false }
        if error != unfit, manager.isSendable(error) { return submit(.failure(error)) }
        manager.later {
            $0.logger.warning(
                "an error cannot be sent here: another is sent in its place",
                ["error": "\(error)", "sent": "\(ATTError.unlikelyError)"])
        }
        _ = submit(.failure(.unlikelyError))
        return false
    }

    /// Refuses bytes that are not a value of their type, after ``claim()``.
    func refuse(_ error: SerDeError) {
        guard let manager else { return }
        let meant: ATTError =
            switch error {
            case .truncated, .trailingBytes: .invalidAttributeValueLength
            case .invalidValue, .invalidText: .valueNotAllowed
            }
        let answer = manager.isSendable(meant) ? meant : .unlikelyError
        manager.later {
            $0.logger.debug("a write is no value of its type", ["error": "\(error)", "answer": "\(answer)"])
        }
        _ = submit(.failure(answer))
    }

    /// A stream had no room for the request. Another stream may still have it.
    func droppedByStream() { state.withLock { $0.fallback = .insufficientResources } }

    /// Answers with the fallback if the right is not taken, because no holder of the request is left.
    func abandon() { if claim() { _ = send(state.withLock { $0.fallback }) } }

    private func submit(_ result: Result<Bytes, ATTError>) -> Bool {
        if !isAwaited { return true }
        guard let manager else { return false }
        let access = access
        manager.later { $0.server.answer(access, result, $0) }
        return true
    }
}
