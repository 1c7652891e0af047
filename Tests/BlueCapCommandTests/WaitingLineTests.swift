// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct WaitingLineTests {
    private let written = Locked<[String]>([])
    private let start = ContinuousClock.Instant.now

    private func line(columns: Int?) -> WaitingLine {
        WaitingLine(columns: { columns }, write: { [written] text in written.withLock { $0.append(text) } })
    }

    @Test func `what takes less than a second is not shown`() {
        let line = line(columns: 80)
        line.begin("connecting", now: start)
        line.tick(now: start + .milliseconds(999))
        line.end()
        #expect(written.withLock { $0 } == [])
    }

    @Test func `on a terminal the seconds are counted on one line, which disappears`() {
        let line = line(columns: 80)
        line.begin("connecting", now: start)
        line.tick(now: start + .seconds(1))
        line.tick(now: start + .seconds(2))
        line.end()
        line.tick(now: start + .seconds(3))
        #expect(
            written.withLock { $0 } == ["\rconnecting … 1 s\u{1B}[K", "\rconnecting … 2 s\u{1B}[K", "\r\u{1B}[K"])
    }

    @Test func `on a narrow terminal the line is cut, so that it stays one line`() {
        let line = line(columns: 12)
        line.begin("connecting to a device", now: start)
        line.tick(now: start + .seconds(1))
        #expect(written.withLock { $0 } == ["\rconnecting…\u{1B}[K"])
    }

    @Test func `operations that begin while it runs are shown, one after the other`() async {
        let (shown, isShown) = AsyncStream.makeStream(of: String.self)
        let line = WaitingLine(columns: { nil }, write: { isShown.yield($0) })
        let running = Task { await line.run() }
        var texts = shown.makeAsyncIterator()
        for text in ["connecting", "reading"] {
            line.begin(text, now: start - .seconds(2))
            #expect(await texts.next() == "\(text) …\n")
            line.end()
        }
        running.cancel()
        await running.value
    }

    @Test func `without a terminal it is printed once`() {
        let line = line(columns: nil)
        line.begin("connecting", now: start)
        line.tick(now: start + .seconds(1))
        line.tick(now: start + .seconds(2))
        line.end()
        #expect(written.withLock { $0 } == ["connecting …\n"])
    }

    @Test func `another line makes it disappear until the next tick`() {
        let line = line(columns: 80)
        line.begin("connecting", now: start)
        line.tick(now: start + .seconds(1))
        line.hide()
        line.hide()
        line.tick(now: start + .seconds(2))
        #expect(
            written.withLock { $0 } == ["\rconnecting … 1 s\u{1B}[K", "\r\u{1B}[K", "\rconnecting … 2 s\u{1B}[K"])
    }
}
