// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapFakeKernel
import BlueCapLoop
import BlueCapSerDe
import BlueCapTestExecutor

// SAFETY: the sockets are only touched on the loop.
/// One channel over a kernel that a test plays; both ends are on one loop.
final class ChannelStage: @unchecked Sendable {
    static let adapter = address([1, 0, 0, 0, 0xDE, 0xC0, 1])
    static let other = address([2, 0, 0, 0, 0, 0xC0, 2])

    let events = Recorder<ChannelSocket.Event>()
    let units = Recorder<Bytes>()
    let accepted = Recorder<AcceptedChannel>()
    private let far = Recorder<FakeChannel>()
    private let loop: EventLoop
    private let fake: FakeChannels
    private let place: ChannelPlace
    private(set) var socket: ChannelSocket?
    private(set) var listener: ChannelListener?

    init() throws(LoopError) {
        let (loop, far) = (try EventLoop(), far)
        self.loop = loop
        fake = FakeChannels(on: loop) { far.add($0) }
        place = ChannelPlace(loop: loop, sockets: fake)
    }

    private static func address(_ octets: [UInt8]) -> KernelAddress {
        guard let address = KernelAddress(octets: octets) else { preconditionFailure("no address") }
        return address
    }

    static func terms(psm: UInt16 = 0x80, receiveLength: UInt16 = 100) -> ChannelTerms {
        ChannelTerms(local: adapter, psm: psm, isEncrypted: false, receiveLength: receiveLength)
    }

    /// Runs `body` on the loop.
    func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (ChannelStage) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await loop.run { () throws(Failure) in try body(self) }
    }

    /// Begins to open a channel; returns its far end.
    func connecting() async throws -> FakeChannel {
        try await run { (stage) throws(LoopError) in
            try stage.begin(try stage.fake.connect(Self.terms(), to: Self.other), isOpening: true)
        }
        await far.wait(for: 1)
        return far.all[0]
    }

    /// A channel that is open.
    func connected(takes length: Int = 2_048) async throws -> FakeChannel {
        let far = try await connecting()
        try await run { _ throws(LoopError) in try far.accept(takes: length) }
        await events.wait(for: 1)
        return far
    }

    private func begin(_ descriptor: consuming FileDescriptor, isOpening: Bool) throws(LoopError) {
        let (units, events) = (units, events)
        socket = try ChannelSocket(
            descriptor, isOpening: isOpening, unitLength: Int(Self.terms().receiveLength), at: place,
            onUnit: { units.add($0) }, onEvent: { events.add($0) })
    }

    /// Takes channels on a PSM; the first is begun.
    func listen(psm: UInt16) async throws(LoopError) -> UInt16 {
        try await run { (stage) throws(LoopError) in
            let listener = try ChannelListener(Self.terms(psm: psm), at: stage.place) {
                [weak stage] descriptor, channel in
                try? stage?.begin(descriptor, isOpening: false)
                stage?.accepted.add(channel)
            }
            stage.listener = listener
            return listener.psm
        }
    }

    /// Opens a channel as another device.
    func open(psm: UInt16) async throws(LoopError) -> FakeChannel {
        try await run { (stage) throws(LoopError) in try stage.fake.open(psm: psm, from: Self.other) }
    }

    /// Sends units from the far end.
    func send(_ units: [Bytes], from far: FakeChannel) async {
        await run { _ in for unit in units { far.send([UInt8](unit)) } }
    }

    func allow(_ count: Int) async { await run { $0.socket?.allow(count) } }

    func end() async {
        await run { stage in
            stage.socket?.close()
            stage.listener?.close()
            for far in stage.far.all { far.close() }
        }
        await loop.stop()
    }
}
#endif
