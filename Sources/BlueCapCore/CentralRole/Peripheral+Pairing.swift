// SPDX-License-Identifier: MIT

extension Peripheral {
    /// A Boolean value that is true if the platform last reported that this machine and the peripheral have keys for
    /// each other; false if the platform does not report this.
    public var isBonded: Bool { facts.withLock { $0.isBonded } }

    /// Pairs with the peripheral and keeps the keys.
    ///
    /// Returns when the peripheral is bonded, immediately if it already is.
    ///
    /// This call is the app's consent to Just Works: without a stream of requests the devices pair by this method, and
    /// with a stream it is accepted without a request. Just Works does not authenticate the peripheral. A passkey to be
    /// compared, typed or shown is a request of ``CentralManager/pairingRequests(capability:)``, whose capability
    /// determines the method that the devices choose; a request that the app does not accept is rejected. The rule is
    /// the same on all backends.
    ///
    /// Reading, writing or subscribing to a value that needs encryption also pairs, without this call. Just Works then
    /// needs the app's permission (``PairingRequest/Kind/authorize``). If the app refuses, the operation throws `.att`
    /// with ``ATTError/insufficientAuthentication``, and BlueZ then loses the connection. On BlueZ such an operation
    /// ends only after 30 seconds if neither this app nor another program answers pairing requests.
    ///
    /// - Parameter timeout: The maximum time to wait; nil for as long as the platform waits.
    /// - Throws: `.pairingFailed`; `.pairingTimeout` and `.cancelled`, both of which cancel the pairing if no other
    ///   call waits for it; `.disconnected`; `.unsupported` if the platform pairs only by itself; `.poweredOff`;
    ///   `.invalidated`; `.backend`.
    public func pair(timeout: Duration? = nil) async throws(PeripheralError) {
        try await requireManager().pair(self, timeout: timeout)
    }

    /// Cancels the pairing that ``pair(timeout:)`` began, which then throws `.pairingFailed(.cancelled)`; does nothing
    /// if there is none.
    ///
    /// To cancel a pairing that an operation on a value began, reject its request (``PairingRequest/reject()``).
    public func cancelPairing() async { await manager?.cancelPairing(identifier) }

    /// Ends the connection and makes the platform remove its keys, if it has any; returns when they are removed.
    ///
    /// The other side keeps its own keys: most devices refuse to pair again until their keys are removed as well. On
    /// BlueZ the whole device is forgotten: scan for it before connecting again.
    ///
    /// - Throws: `.unsupported` if only the user can remove the keys; `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.backend`.
    public func removeBond() async throws(PeripheralError) { try await requireManager().removeBond(of: self) }
}
