// SPDX-License-Identifier: MIT

extension Peripheral {
    /// Opens a connection-oriented channel of L2CAP to a PSM of the peripheral, over the connection that stands.
    ///
    /// A link has 64 channels at most. The channel ends with the connection.
    ///
    /// On Linux the kernel opens channels, and tells no result code of a refusal. Where the peripheral asks for a
    /// security that the link lacks, the kernel pairs by itself, without an end when that is refused: ask for
    /// encryption, or the attempt is given up after 30 seconds at most, as `.openTimeout`.
    ///
    /// - Parameters:
    ///   - psm: The PSM on which the peripheral takes channels, 1 through 255; the peripheral tells it, by a
    ///     characteristic for example.
    ///   - isEncrypted: Whether the link has to be encrypted: the devices pair first where they have no keys, and the
    ///     channel is not opened where they do not. CoreBluetooth does not say, so it throws `.backend`: the system
    ///     pairs by itself where the peripheral asks for that.
    ///   - maximumReceiveLength: The maximum number of bytes of a unit from the peripheral, brought to the nearest of
    ///     23 through 65,535.
    ///   - timeout: How long pairing and opening may take together; nil for as long as they take.
    /// - Returns: The open channel; hold on to it.
    /// - Throws: `.psmOutOfRange` and `.channelsNotSupported` before anything is sent; `.tooManyChannels`; `.refused`
    ///   with the peripheral's result where it is known; `.openTimeout`, `.pairingFailed`, `.disconnected`,
    ///   `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func openChannel(
        psm: UInt16, encrypted isEncrypted: Bool = false, maximumReceiveLength: Int = 2048, timeout: Duration? = nil
    ) async throws(ChannelError) -> Channel {
        guard (1...0xFF).contains(psm) else { throw .psmOutOfRange(psm) }
        guard let manager else { throw .invalidated }
        let operation = ChannelOperation.open(
            identifier, psm: psm, isEncrypted: isEncrypted,
            maximumReceiveLength: min(max(maximumReceiveLength, 23), 65_535))
        return try await open(operation, isEncrypted, timeout, manager)
    }

    private func open(
        _ operation: ChannelOperation, _ isEncrypted: Bool, _ timeout: Duration?, _ manager: isolated CentralManager
    ) async throws(ChannelError) -> Channel {
        guard manager.backend.features.contains(.channels) else { throw .channelsNotSupported }
        let end = timeout.map { manager.clock.elapsed + $0 }
        if let refusal = manager.channelRefusal { throw refusal }
        guard manager.book.known(self)?.link == .connected else { throw .disconnected }
        if isEncrypted {
            let outcome = await manager.perform(.pair(identifier), in: .pairing, timeout: timeout)
            guard case .reply = outcome else { throw ChannelError(outcome) }
        }
        let rest = end.map { ($0 - manager.clock.elapsed, ChannelError.openTimeout) }
        let result = await manager.requests.channels.perform(operation, with: identifier, timeout: rest, manager)
        guard case .opened(let channel) = try result.get() else { throw .backend(.unexpected(.done)) }
        return channel
    }
}

extension CentralManager: ChannelOwner {
    nonisolated var channelBackend: any ChannelBackend { backend }
}
