// SPDX-License-Identifier: MIT

@testable import BlueCapCore

extension RegistrationMachineTests {
    /// The content of a registration, and the place that the platform gave it.
    struct Content {
        var text = 1
        var place = 0
    }

    /// A machine with the requests that it has sent.
    struct Subject: MachineSubject {
        static let file = #filePath

        private(set) var machine: RegistrationMachine<Content>
        private var sent: [RegistrationMachine<Content>.Request] = []

        var description: String { machine.description }

        /// A machine whose first addition was lost, and which stands nowhere since.
        ///
        /// - Parameter isEstablished: Whether an earlier program offered it.
        init(isEstablished: Bool) {
            machine = RegistrationMachine(Content(), isEstablished: isEstablished)
            for event in [Event.settles, .suspended, .forgotten] { take(event) }
        }

        /// A machine in a state of the table.
        init(_ state: String) {
            self.init(isEstablished: restored.contains(state))
            for event in ways[state] ?? [] { take(event) }
        }

        @discardableResult
        mutating func take(_ event: Event) -> [String] {
            switch event {
            case .settles: perform(machine.reconcile(isRadioOn: true, mayBeAdded: true))
            case .settlesBehindOthers: perform(machine.reconcile(isRadioOn: true, mayBeAdded: false))
            case .settlesWithoutRadio: perform(machine.reconcile(isRadioOn: false, mayBeAdded: true))
            case .accepted: answer(underWay, isRefused: false)
            case .refused: answer(underWay, isRefused: true)
            case .acceptedLate: answer(sent.first, isRefused: false)
            case .refusedLate: answer(sent.first, isRefused: true)
            case .changed: change()
            case .placed: place()
            case .withdrawn: machine.withdraw() ? ["withdrawn"] : []
            case .suspended: machine.suspend().map { perform($0) }
            case .forgotten: forget()
            case .ended: machine.ended() ? ["ended"] : []
            }
        }

        private var underWay: RegistrationMachine<Content>.Request? {
            [.adding, .updating, .removing].contains(machine.standing) ? sent.last : sent.first
        }

        private mutating func change() -> [String] {
            var content = machine.content
            content.text += 1
            guard case .updated = machine.change(to: content), machine.content.text == content.text else { return [] }
            return ["goal"]
        }

        private mutating func place() -> [String] {
            var content = machine.content
            content.place += 1
            machine.placed(content)
            let isConfirmed = machine.confirmed?.place == content.place
            return ["place\(machine.content.place == content.place ? "" : " lost")"] + (isConfirmed ? ["confirm"] : [])
        }

        private mutating func forget() -> [String] {
            machine.forgotten()
            return []
        }

        private mutating func answer(_ request: RegistrationMachine<Content>.Request?, isRefused: Bool) -> [String] {
            guard let request, let actions = machine.answered(request, isRefused: isRefused) else { return [] }
            return actions.map { action in
                guard case .answer(.reached(let version), isFailed: false) = action else { return perform(action) }
                return version == request.version ? "answer reached" : "answer what was not reached"
            }
        }

        private mutating func perform(_ action: RegistrationMachine<Content>.Action?) -> [String] {
            action.map { [perform($0)] } ?? []
        }

        private mutating func perform(_ action: RegistrationMachine<Content>.Action) -> String {
            switch action {
            case .send(let request):
                sent.append(request)
                return "\(request.step)\(request.content.text == machine.content.text ? "" : " what is old")"
            case .answer(let goals, let isFailed): return "\(isFailed ? "fail" : "answer") \(Self.word(of: goals))"
            case .publish: return "publish"
            case .startTime: return "startTime"
            case .giveUp(let isReported): return isReported ? "give up and report" : "give up"
            case .withdraw: return "withdraw"
            case .forget: return "forget"
            }
        }

        private static func word(of goals: RegistrationGoal.Filter) -> String {
            String("\(goals)".split(separator: ".").last ?? "")
        }
    }
}
