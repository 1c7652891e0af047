// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapGateway
import Testing

@Suite("Events of a broker that were dropped", .timeLimit(.minutes(60)))
struct MissedEventsTests {
    @Test func `make the gateway ask the broker again, once for each`() {
        var missed = MissedEvents()
        #expect(missed.step(0, at: .seconds(1)) == .none)
        #expect(missed.step(3, at: .seconds(2)) == .askAgain)
        #expect(missed.step(3, at: .seconds(3)) == .none)
        #expect(missed.step(4, at: .seconds(500)) == .askAgain)
    }

    @Test func `in the answer itself are a loss at once, and ask again after a minute`() {
        var missed = MissedEvents()
        #expect(missed.step(1, at: .seconds(2)) == .askAgain)
        #expect(missed.step(2, at: .seconds(3)) == .lose)
        #expect(missed.step(2, at: .seconds(4)) == .none)
        #expect(missed.step(5, at: .seconds(5)) == .lose)
        #expect(missed.step(5, at: .seconds(62)) == .askAgain)
        #expect(missed.step(5, at: .seconds(200)) == .none)
    }
}
#endif
