// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapLoop
import BlueCapPlatform
import Testing

/// Everything that belongs to the loop traps elsewhere, each in a process of its own.
@Suite(.timeLimit(.minutes(60)))
struct OffLoopTests {
    @Test(arguments: LoopOnly.allCases)
    func `what belongs to the loop does not trap there, and traps elsewhere`(_ entry: LoopOnly) async throws {
        let observed: [any PartialKeyPath<ExitTest.Result> & Sendable] = [
            \.standardOutputContent, \.standardErrorContent,
        ]
        let exit = await #expect(processExitsWith: .failure, observing: observed) { [entry] in
            let things = try await LoopOnly.Things()
            try await things.loop.run { () throws(LoopError) in try entry.use(things) }
            await things.loop.run {
                things.reader.value.close()
                things.writer.value.close()
            }
            await things.loop.stop()
            print("used on the loop")
            fflush(nil)
            try entry.use(await LoopOnly.Things())
        }
        let result = try #require(exit)
        let (output, errors) = (
            String(decoding: result.standardOutputContent, as: UTF8.self),
            String(decoding: result.standardErrorContent, as: UTF8.self)
        )
        #expect(output.contains("used on the loop"), "\(errors)")
        #expect(errors.contains("must be called on the event loop"))
    }
}

/// The methods that are for the loop alone.
enum LoopOnly: String, CaseIterable, Codable, Sendable {
    case watch, change, unwatch, after, cancelTimer, runLater, pollCount, workCount, handlerCount, moderate, pause
    case readPackets, pausePackets, resumePackets, closeReader, writePackets, sendPacket, whenWritable, closeWriter

    /// The objects that the calls are made on.
    struct Things: Sendable {
        let loop: EventLoop
        let reader: Held<PacketReader>
        let writer: Held<PacketWriter>
        let descriptor: Int32
        let watch: WatchID
        let timer: TimerID

        init() async throws {
            let loop = try EventLoop()
            self.loop = loop
            let (ends, more) = (try RawPair(), try RawPair())
            descriptor = more.near
            (reader, writer, watch, timer) = try await loop.run { () throws(LoopError) in
                (
                    Held(
                        try PacketReader(
                            FileDescriptor(owning: ends.near), on: loop, onPacket: { _ in }, onClose: { _ in })),
                    Held(try PacketWriter(FileDescriptor(owning: ends.far), on: loop, onClose: {})),
                    try loop.watch(more.far, .read) { _ in },
                    loop.after(.seconds(1000)) {}
                )
            }
        }
    }

    func use(_ things: Things) throws(LoopError) {
        let loop = things.loop
        switch self {
        case .watch: _ = try loop.watch(things.descriptor, .read) { _ in }
        case .change: loop.change(things.watch, to: [])
        case .unwatch: loop.unwatch(things.watch)
        case .after: loop.after(.zero) {}
        case .cancelTimer: loop.cancel(things.timer)
        case .runLater: loop.runLater {}
        case .pollCount: _ = loop.pollCount
        case .workCount: _ = loop.workCount
        case .handlerCount: _ = loop.handlerCount
        case .moderate: loop.moderate(by: .zero)
        case .pause: loop.pause(for: .zero)
        case .readPackets:
            let reader = try PacketReader(
                FileDescriptor(owning: dup(things.descriptor)), on: loop, onPacket: { _ in }, onClose: { _ in })
            reader.close()
        case .pausePackets: things.reader.value.pause()
        case .resumePackets: things.reader.value.resume()
        case .closeReader: things.reader.value.close()
        case .writePackets:
            let writer = try PacketWriter(FileDescriptor(owning: dup(things.descriptor)), on: loop, onClose: {})
            writer.close()
        case .sendPacket: _ = things.writer.value.send([1])
        case .whenWritable: things.writer.value.whenWritable {}
        case .closeWriter: things.writer.value.close()
        }
    }
}
#endif
