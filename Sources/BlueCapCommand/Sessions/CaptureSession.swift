// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime

/// Captures a virtual run in which a central visits every device.
struct CaptureSession: Sendable {
    /// The devices to capture, and the format of the capture.
    struct Plan: Sendable {
        /// The devices; none for the virtual town.
        var twins: [Twin] = []
        var form = CaptureWriter.Form.btsnoop(.monitor)
        /// Simulated time to listen to each device.
        var duration = Duration.seconds(5)
        var seed: UInt64 = 1
    }

    let plan: Plan
    /// Takes the file's bytes, in order.
    let write: @Sendable ([UInt8]) throws -> Void
    var progress: @Sendable (String) -> Void = { report($0) }

    /// For how long the central looks for devices first.
    private static let scanDuration = Duration.seconds(5)
    /// For how long it discovers one of them, which may have as many services as a twin.
    private static let discoveryLimit = Duration.seconds(1800)
    /// The longest time that a channel takes beside the plan's duration.
    private static let channelLimit = Duration.seconds(60)

    /// Runs in simulated time.
    ///
    /// - Returns: How many packets were written.
    @discardableResult
    func run() async throws -> Int {
        let sink = CaptureSink(plan.form, write)
        try sink.begin()
        let (plan, progress) = (plan, progress)
        // Every device takes the plan's duration, and most of them at most half a minute more.
        let channelCount = plan.twins.reduce(0) { $0 + $1.channels.count }
        let limit =
            Duration.seconds(3600) + plan.duration * 64 + Self.discoveryLimit * plan.twins.count
            + (plan.duration + Self.channelLimit) * channelCount
        try await VirtualRadio.run(seed: plan.seed, limit: limit) { radio in
            let capture = radio.capture { sink.take($0) }
            let town = plan.twins.isEmpty ? try FileWorld(radio: radio, WorldFile(shipped: ShippedWorlds.town)) : nil
            var channels: [PeerIdentifier: [TwinChannel]] = [:]
            for twin in plan.twins {
                channels[radio.add(twin: twin, replay: .repeating).identifier] = twin.channels
            }
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let town { group.addTask { await town.run() } }
                defer { group.cancelAll() }
                try await Self.visitAll(central, plan, channels, radio.clock, progress)
            }
            await central.invalidate()
            capture.stop()
        }
        try sink.end()
        progress("wrote \(TextLayout.count(sink.count, "packet"))")
        return sink.count
    }

    private static func visitAll(
        _ central: CentralManager, _ plan: Plan, _ channels: [PeerIdentifier: [TwinChannel]], _ clock: BlueCapClock,
        _ progress: @escaping @Sendable (String) -> Void
    ) async throws {
        try await central.requireRadio()
        var found: [Peripheral] = []
        do throws(CentralManagerError) {
            for try await discovery in central.scan(timeout: scanDuration)
            where discovery.advertisements.isConnectable == true && !found.contains(discovery.peripheral) {
                found.append(discovery.peripheral)
            }
        } catch {
            if error != .serviceScanTimeout { throw error }
        }
        for peripheral in found where !Task.isCancelled {
            do throws(PeripheralError) {
                try await peripheral.connect(timeout: .seconds(10))
                try await peripheral.discover(timeout: discoveryLimit)
            } catch {
                progress("could not visit \(peripheral.label): \(error.message)")
                continue
            }
            let recorder = TwinRecorder(duration: plan.duration, clock: clock, progress: progress)
            do throws(CharacteristicError) {
                progress("visited \(try await recorder.record(peripheral).summary)")
            } catch {
                progress("lost \(peripheral.label): \(error.message)")
            }
            for channel in channels[peripheral.identifier] ?? [] where peripheral.state == .connected {
                await ChannelVisit(
                    central: central, peripheral: peripheral, channel: channel, patience: plan.duration, clock: clock,
                    progress: progress
                ).run()
            }
            await peripheral.disconnect()
        }
    }
}

/// Writes packets as they come, and keeps the first failure.
private final class CaptureSink: Sendable {
    private struct State {
        var count = 0
        var failure: (any Error)?
        /// Records that wait until there are enough for a write.
        var pending: [UInt8] = []
    }

    private static let pieceByteCount = 65_536

    private let writer: CaptureWriter
    private let write: @Sendable ([UInt8]) throws -> Void
    private let state = Locked(State())

    init(_ form: CaptureWriter.Form, _ write: @escaping @Sendable ([UInt8]) throws -> Void) {
        writer = CaptureWriter(form)
        self.write = write
    }

    /// How many packets were written.
    var count: Int { state.withLock { $0.count } }

    func begin() throws { try write(writer.header) }

    func take(_ packet: CapturedPacket) {
        guard let record = writer.record(packet) else { return }
        let piece = state.withLock { state -> [UInt8] in
            state.count += 1
            state.pending += record
            guard state.pending.count >= Self.pieceByteCount, state.failure == nil else { return [] }
            defer { state.pending = [] }
            return state.pending
        }
        // Packets come one after another, from the radio's executor.
        if !piece.isEmpty { put(piece) }
    }

    private func put(_ piece: [UInt8]) {
        do { try write(piece) } catch { state.withLock { $0.failure = $0.failure ?? error } }
    }

    func end() throws {
        put(state.withLock { $0.pending })
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
