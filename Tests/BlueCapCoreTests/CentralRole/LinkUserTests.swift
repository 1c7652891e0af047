// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite("The steps of a scope")
struct LinkUserTests {
    private static let policy = ReconnectPolicy(
        maximumTimeouts: 1, maximumDisconnections: 1,
        backoff: .exponential(initial: .seconds(1), maximum: .seconds(60)))

    /// Puts a step in words.
    private func words(_ step: LinkUser.Step) -> String {
        switch step {
        case .connect(after: nil): "connect with the radio"
        case .connect(let delay?): "connect after \(delay)"
        case .end(let error, gaveUp: false): "end: \(error)"
        case .end(let error, gaveUp: true): "give up: \(error)"
        }
    }

    private func steps(
        of policy: ReconnectPolicy = policy, _ failures: [PeripheralError?], isRadioOn: Bool = true,
        connected: Bool = false
    ) -> [String] {
        var user = LinkUser(policy: policy)
        if connected { user.connected() }
        return failures.map { words(user.next(after: $0, isRadioOn: isRadioOn)) }
    }

    @Test func `failed attempts in a row are counted, and end the scope with the last one`() {
        #expect(
            steps([.connectionTimeout, .disconnected])
                == ["connect after 1.0 seconds", "give up: \(PeripheralError.disconnected)"])
    }

    @Test func `losses are counted apart from failed attempts`() {
        #expect(
            steps([nil, .connectionTimeout, nil], connected: true)
                == [
                    "connect after 1.0 seconds", "connect after 1.0 seconds",
                    "give up: \(PeripheralError.disconnected)",
                ])
    }

    @Test func `a connection clears the failed attempts`() {
        var user = LinkUser(policy: Self.policy)
        _ = user.next(after: .connectionTimeout, isRadioOn: true)
        user.connected()
        #expect(words(user.next(after: .connectionTimeout, isRadioOn: true)) == "connect after 1.0 seconds")
    }

    @Test func `without a policy the first failure ends the scope, and is no giving up`() {
        #expect(steps(of: .never, [.connectionTimeout]) == ["end: \(PeripheralError.connectionTimeout)"])
    }

    @Test func `without the radio a scope waits for it after a connection only, and counts nothing`() {
        #expect(steps([.poweredOff], isRadioOn: false) == ["end: \(PeripheralError.poweredOff)"])
        #expect(
            steps([nil, .poweredOff, .poweredOff], isRadioOn: false, connected: true)
                == Array(repeating: "connect with the radio", count: 3))
    }

    @Test func `a radio that went off and is on again counts as no loss`() {
        var user = LinkUser(policy: Self.policy)
        user.connected()
        user.radioLost()
        #expect(words(user.next(after: nil, isRadioOn: true)) == "connect with the radio")
    }

    @Test func `the error of the loss is the scope's, unless the attempt had its own`() {
        var user = LinkUser(policy: .never)
        user.connected()
        user.disconnected(.poweredOff)
        #expect(words(user.next(after: nil, isRadioOn: true)) == "end: \(PeripheralError.poweredOff)")
        user.disconnected(.poweredOff)
        #expect(words(user.next(after: .cancelled, isRadioOn: true)) == "end: \(PeripheralError.cancelled)")
    }

    @Test func `after a disconnection by hand a scope ends, whatever its policy allows`() {
        var user = LinkUser(policy: Self.policy)
        user.connected()
        user.forceEnd()
        #expect(user.isForced && !user.isActive)
        #expect(words(user.next(after: nil, isRadioOn: true)) == "end: \(PeripheralError.forcedDisconnect)")
    }

    @Test func `after its longest absence a scope gives up with the loss, or with a timeout before a connection`() {
        var user = LinkUser(policy: Self.policy)
        user.absenceOver()
        #expect(words(user.next(after: .cancelled, isRadioOn: true)) == "give up: \(PeripheralError.connectionTimeout)")
        user = LinkUser(policy: Self.policy)
        user.connected()
        user.disconnected(.disconnected)
        _ = user.next(after: nil, isRadioOn: true)
        user.absenceOver()
        #expect(words(user.next(after: .cancelled, isRadioOn: true)) == "give up: \(PeripheralError.disconnected)")
    }
}
