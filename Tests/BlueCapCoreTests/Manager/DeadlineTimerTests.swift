// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCore

/// The deadlines of a manager, on a manual clock and without a radio.
@Suite("Deadline timer", .timeLimit(.minutes(60)))
struct DeadlineTimerTests {
    @Test func `deadlines come in the order of their times, those of one time in the order of the calls`() async throws
    {
        try await RoomStage.run { stage, time in
            await stage.act { stage in
                for (name, delay) in [("c", 3), ("a", 1), ("b", 2), ("b2", 2), ("now", -1)] {
                    stage.after(.seconds(delay)) { $0.note(name) }
                }
            }
            await time.pass(0)
            #expect(await stage.takeNotes() == ["now"])
            await time.pass(1)
            #expect(await stage.takeNotes() == ["a"])
            await time.pass(1)
            #expect(await stage.takeNotes() == ["b", "b2"])
            await time.pass(5)
            #expect(await stage.takeNotes() == ["c"])
            #expect(await stage.deadlineCount == 0)
        }
    }

    @Test func `one timer of the clock stands for all deadlines, and none where there is none`() async throws {
        try await RoomStage.run { stage, time in
            await stage.act { stage in
                let tokens = [3, 1, 2].map { stage.after(.seconds($0)) { $0.note("due") } }
                #expect(time.clock.nextDeadline == .seconds(1))
                for token in tokens { stage.cancelDeadline(token) }
            }
            #expect(time.clock.nextDeadline == nil)
            await time.pass(5)
            #expect(await stage.takeNotes() == [])
        }
    }

    @Test func `a deadline that a deadline adds comes in its own time`() async throws {
        try await RoomStage.run { stage, time in
            await stage.act { stage in
                stage.after(.seconds(1)) { stage in
                    stage.note("first")
                    stage.after(.seconds(1)) { $0.note("second") }
                }
            }
            await time.pass(1)
            #expect(await stage.takeNotes() == ["first"])
            await time.pass(1)
            #expect(await stage.takeNotes() == ["second"])
        }
    }

    @Test func `no deadline comes once the timer is stopped`() async throws {
        try await RoomStage.run { stage, time in
            await stage.act { stage in
                stage.after(.seconds(1)) { $0.note("due") }
                stage.deadlines.stop()
            }
            await time.pass(5)
            #expect(await stage.takeNotes() == [])
        }
    }
}
