// SPDX-License-Identifier: MIT

extension PeripheralManager {
    /// Takes connection-oriented channels of L2CAP that centrals open to a PSM of this device.
    ///
    /// On Linux the kernel takes them, on the address of the adapter, and a PSM may be that of another program.
    ///
    /// - Parameters:
    ///   - psm: The PSM, 128 through 255; nil, as by default, for one that the platform chooses. CoreBluetooth takes
    ///     nil alone, and throws `.backend` otherwise.
    ///   - isEncrypted: Whether a central is refused, by ``ChannelRefusal/insufficientEncryption``, while its link is
    ///     not encrypted.
    ///   - maximumReceiveLength: The maximum number of bytes of a unit from a central, brought to the nearest of 23
    ///     through 65,535.
    ///   - timeout: How long the platform may take; nil for as long as it takes.
    /// - Returns: The channels with their PSM. Leaving the loop over them, or releasing them, takes the PSM back.
    /// - Throws: `.psmOutOfRange` and `.channelsNotSupported` before the platform is asked; `.psmTaken`;
    ///   `.publishTimeout`, `.poweredOff`, `.cancelled`, `.invalidated`, `.backend`.
    public func publishChannel(
        psm: UInt16? = nil, encrypted isEncrypted: Bool = false, maximumReceiveLength: Int = 2048,
        timeout: Duration? = nil
    ) async throws(ChannelError) -> PublishedChannels {
        if let psm, !(0x80...0xFF).contains(psm) { throw .psmOutOfRange(psm) }
        guard backend.features.contains(.channels) else { throw .channelsNotSupported }
        let operation = ChannelOperation.publish(
            psm: psm, isEncrypted: isEncrypted, maximumReceiveLength: min(max(maximumReceiveLength, 23), 65_535))
        let limit = timeout.map { ($0, ChannelError.publishTimeout) }
        let result = await requests.channels.perform(operation, with: nil, timeout: limit, self)
        guard case .published(let publication) = try result.get() else { throw .backend(.unexpected(.done)) }
        return PublishedChannels(publication: publication)
    }
}

extension PeripheralManager: ChannelOwner {
    nonisolated var channelBackend: any ChannelBackend { backend }

    /// The channels of a central whose identifier changes are its own still. A link that is known by the new one
    /// already was another, which is over.
    func centralChanged(_ former: PeerIdentifier, _ present: PeerIdentifier) {
        if former == present || !links.isConnected(former) { return }
        if links.isConnected(present) { requests.channels.linkEnded(present, .disconnected, self) }
        requests.channels.peerChanged(former, to: present)
    }
}
