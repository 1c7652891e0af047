// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual

/// The users of the random program's devices, who compare, read out and type passkeys, and make mistakes.
final class PairingUsers: Sendable {
    private struct State {
        var generator: SeededGenerator
        /// The passkey that the app of each manager shows.
        var shown: [ProgramRole: UInt32] = [:]
    }

    /// The reaction of a user to a question.
    private enum Habit: CaseIterable {
        case answers, hesitates, mistakes, refuses, forgets, answersTooLate
    }

    /// The passkey that both users type if both sides have keys and no display.
    private static let agreedPasskey: UInt32 = 123_456

    private let devices: [any ProgramDevice]
    private let journal: RunJournal
    private let state: Locked<State>

    init(devices: [any ProgramDevice], seed: UInt64, journal: RunJournal) {
        self.devices = devices
        self.journal = journal
        state = Locked(State(generator: SeededGenerator(seed: seed, name: "users")))
    }

    /// Answers a question of a manager's, or lets it go.
    ///
    /// - Parameters:
    ///   - request: The question.
    ///   - role: Whose question it is.
    ///   - agrees: Whether the user knows no other answer than yes.
    func answer(_ request: PairingRequest, to role: ProgramRole, agrees: Bool) async {
        // The note must not keep the request: releasing a request answers it.
        let question = "\(request)"
        journal.note("the \(role) manager asks: \(question)")
        let (habit, delay) = state.withLock { state in
            let habit = state.generator.happens(0.5) ? .answers : Habit.allCases.randomElement(using: &state.generator)
            return (habit ?? .answers, Int64.random(in: 1...4000, using: &state.generator))
        }
        switch agrees ? .answers : habit {
        case .answers: agree(request, role, isRight: true)
        case .mistakes: agree(request, role, isRight: false)
        case .hesitates:
            guard (try? await journal.clock.sleep(for: .milliseconds(delay))) != nil else { return }
            agree(request, role, isRight: true)
        case .answersTooLate:
            guard (try? await journal.clock.sleep(for: .seconds(31))) != nil else { return }
            agree(request, role, isRight: true)
        case .refuses: request.reject()
        case .forgets: break
        }
    }

    private func agree(_ request: PairingRequest, _ role: ProgramRole, isRight: Bool) {
        let device = devices.first { $0.identifiers.contains(request.peer) }
        switch request.kind {
        case .confirm(let passkey):
            if request.isOpen, let shown = device?.shownPasskey, shown != passkey {
                journal.violate("\(request.peer) shows \(shown), and the \(role) manager has \(passkey) compared")
            }
            if isRight { request.accept() } else { request.reject() }
        case .displayPasskey(let passkey):
            state.withLock { $0.shown[role] = passkey }
            device?.type(isRight ? passkey : Self.wrong(passkey))
        case .enterPasskey:
            let other = role == .central ? ProgramRole.peripheral : .central
            let passkey = device?.shownPasskey ?? state.withLock { $0.shown.removeValue(forKey: other) }
            if passkey == nil { device?.type(Self.agreedPasskey) }
            let right = passkey ?? Self.agreedPasskey
            request.accept(passkey: isRight ? right : Self.wrong(right))
        case .authorize, .authorizeService: request.accept()
        }
    }

    private static func wrong(_ passkey: UInt32) -> UInt32 { (passkey + 1) % 1_000_000 }
}
