// SPDX-License-Identifier: MIT

/// Where a service or an advertisement stands on the platform, where it is wanted, and the next step from the one to
/// the other.
///
/// A machine is a value: it knows neither the platform nor the time nor the callers that wait. Each method takes an
/// event and returns the actions that follow from it, in their order. A call that gives up, a radio that goes off and a
/// platform that forgets are alike to the machine: either the wanted or the actual state has changed.
struct RegistrationMachine<Content: Sendable>: Sendable {
    /// A request to the platform, with the content of the time when it was made.
    struct Request: Sendable {
        enum Step {
            case add
            case update
            case remove
        }

        let step: Step
        let content: Content
        let version: Int
        /// Tells the request that is under way from those before it.
        fileprivate let number: Int
    }

    /// An action that the manager carries out for the machine.
    enum Action {
        /// The request goes to the platform; its answer comes back by ``answered(_:isRefused:)``.
        case send(Request)
        /// The callers with such a goal are answered: with the error that has just come if `isFailed`, else with
        /// success.
        case answer(RegistrationGoal.Filter, isFailed: Bool)
        /// The state that the app can see has changed.
        case publish
        /// The time of the confirmed content begins.
        case startTime
        /// The platform refused it, so it is to be withdrawn. It is reported where the manager, not a caller, had
        /// asked.
        case giveUp(isReported: Bool)
        /// No call has ever succeeded for it, and now none can: it is to be withdrawn.
        case withdraw
        /// It stands nowhere and is wanted no more.
        case forget
    }

    /// Where it stands on the platform, for all that is known.
    enum Standing {
        case absent
        case adding
        case present
        case updating
        case removing
        /// A request was lost: the platform may have it or not.
        case unsure
    }

    private(set) var standing = Standing.absent {
        didSet {
            // The late refusal of an addition says something only while it is open whether the platform has it.
            if standing != .removing, standing != .unsure { wasRefused = false }
        }
    }
    private(set) var isWanted = true
    /// Whether it was there once, so that the manager brings it back by itself.
    private(set) var isEstablished: Bool
    private(set) var content: Content
    /// The content that the platform has confirmed last.
    private(set) var confirmed: Content?
    /// Counts the changes of ``content``; the platform has the one of `sentVersion`.
    private var version = 0
    private var sentVersion = 0
    /// Whether its addition was refused after it was wanted no more: then its removal, which is under way, may fail.
    private var wasRefused = false
    private var lastNumber = 0
    /// The latest request, while the platform has not answered it; the answer to an earlier request means nothing.
    private var underWay: Request?

    /// Makes the machine of a registration that is wanted and not on the platform.
    ///
    /// - Parameters:
    ///   - content: The wanted content.
    ///   - isEstablished: Whether it was there in the life of an earlier program, and is brought back as that one left
    ///     it.
    init(_ content: Content, isEstablished: Bool = false) {
        self.content = content
        self.isEstablished = isEstablished
        confirmed = isEstablished ? content : nil
    }

    /// Whether the platform has it, for all that is known.
    var stands: Bool { [.present, .updating, .removing].contains(standing) }

    /// Whether it is to be brought back and is not there yet.
    var isToBeRestored: Bool { isWanted && isEstablished && standing != .present }

    // MARK: One step

    /// The next step; each answer is followed by a call of this.
    ///
    /// - Parameters:
    ///   - isRadioOn: Whether the platform can be asked at all.
    ///   - mayBeAdded: Whether nothing has to be there before this.
    mutating func reconcile(isRadioOn: Bool, mayBeAdded: Bool) -> Action? {
        if standing == .absent, !isWanted { return .forget }
        if !isRadioOn { return nil }
        switch (standing, isWanted) {
        case (.absent, true):
            return mayBeAdded ? send(.add, .adding) : nil
        case (.present, true) where sentVersion != version:
            return send(.update, .updating)
        case (.present, true):
            return .answer(.standing, isFailed: false)
        case (.present, false), (.unsure, _), (.adding, false), (.updating, false):
            // The removal goes out behind the request under way for it, and before later requests.
            return send(.remove, .removing)
        case (.adding, true), (.updating, true), (.removing, _), (.absent, false):
            return nil
        }
    }

    private mutating func send(_ step: Request.Step, _ standing: Standing) -> Action {
        self.standing = standing
        lastNumber += 1
        let request = Request(step: step, content: content, version: version, number: lastNumber)
        underWay = request
        return .send(request)
    }

    /// The platform has answered a request, or the request was lost.
    ///
    /// - Returns: Nil for the answer to an earlier request, which changes nothing.
    mutating func answered(_ request: Request, isRefused: Bool) -> [Action]? {
        guard request.number == underWay?.number else {
            if isRefused, request.step == .add, [.removing, .unsure].contains(standing) { wasRefused = true }
            return nil
        }
        underWay = nil
        switch (request.step, isRefused) {
        case (.add, false), (.update, false):
            let isNew = confirmed == nil || sentVersion != request.version
            standing = .present
            sentVersion = request.version
            // Within one version only the handle changes, which the platform may have reported by now.
            confirmed = version == request.version ? content : request.content
            if isWanted { isEstablished = true }
            let done: [Action] = [.publish, .answer(.reached(version: request.version), isFailed: false)]
            return isNew ? [.startTime] + done : done
        case (.add, true):
            standing = .absent
            return [.giveUp(isReported: isEstablished && isWanted)]
        case (.update, true):
            standing = .present
            revert()
            return [.answer(.updates, isFailed: true)]
        case (.remove, _):
            // A refusal leaves the platform as it was for all we know; it is wanted no more, so it is taken for done.
            let isFailed = isRefused && !wasRefused
            standing = .absent
            return isWanted ? [.publish] : [.publish, .answer(.absence, isFailed: isFailed)]
        }
    }

    /// Makes the content that the platform has the wanted one again.
    private mutating func revert() {
        if let confirmed { content = confirmed }
        version = sentVersion
    }

    // MARK: The wanted state

    /// Changes the wanted content.
    ///
    /// - Returns: The goal of the caller that asks for it.
    mutating func change(to content: Content) -> RegistrationGoal {
        self.content = content
        version += 1
        return .updated(version: version)
    }

    /// The platform has reported the handle of a service, which `content` holds now.
    mutating func placed(_ content: Content) {
        self.content = content
        if confirmed != nil { confirmed = content }
    }

    /// It is wanted no more.
    ///
    /// - Returns: Whether it was wanted until now.
    mutating func withdraw() -> Bool {
        defer { isWanted = false }
        return isWanted
    }

    // MARK: Events of the platform

    /// The radio went off with whatever was under way: its answer does not follow, or says nothing.
    mutating func suspend() -> [Action] {
        underWay = nil
        if [.adding, .updating, .removing].contains(standing) { standing = .unsure }
        revert()
        return isEstablished ? [.answer(.all, isFailed: true)] : [.answer(.all, isFailed: true), .withdraw]
    }

    /// The platform has forgotten everything that it had; an addition under way comes after that.
    mutating func forgotten() {
        if [.absent, .adding].contains(standing) { return }
        underWay = nil
        standing = .absent
    }

    /// The platform has taken it down.
    ///
    /// - Returns: False where that is about an earlier one, as it is only being added.
    mutating func ended() -> Bool {
        if standing == .adding { return false }
        underWay = nil
        standing = .absent
        return true
    }
}

extension RegistrationMachine: CustomStringConvertible {
    /// A text with the standing on the platform and the further facts known of it.
    var description: String {
        var words = ["\(standing)"]
        if !isWanted { words.append("unwanted") }
        if isEstablished { words.append("established") } else if confirmed != nil { words.append("confirmed") }
        let asked = standing == .removing ? version : underWay?.version ?? version
        if asked != sentVersion { words.append("changed") }
        if asked != version { words.append("overtaken") }
        if wasRefused { words.append("refused") }
        return words.joined(separator: " ")
    }
}
