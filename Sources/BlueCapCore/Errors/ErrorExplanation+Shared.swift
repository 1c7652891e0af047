// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The explanations of the cases that the errors of several layers have in common.
extension ErrorExplanation {
    static let cancelled = Self(.cancelled, "the task was cancelled")
    static let poweredOff = Self(
        .poweredOff, "Bluetooth is off", advice: "switch it on, and await whenPoweredOn() before other calls")
    static let peripheralDisconnected = Self(
        .disconnected, "the peripheral is not connected, or the link was lost",
        advice: "call connect() first, and discover again after a new connection")
    static let centralDisconnected = Self(
        .disconnected, "the central is not connected", advice: "wait until it connects and subscribes again")
    static let managerInvalidated = Self(
        .invalidated, "the manager was ended by invalidate() or reset(), or nothing keeps it",
        advice: "keep a reference to the manager, and create a new one after invalidate()")
    static let unsupportedByPeer = Self(.unsupported, "the peripheral or the platform does not offer this")
    static let unauthorized = Self(
        .unsupported, "this process may not use Bluetooth", advice: "grant it the permission")
    static let powerOnTimeout = Self(
        .timeout, "the radio was not powered on within the time given",
        advice: "check that Bluetooth is on and its service runs")
    static let notSerializable = Self(
        .serialization, "the value cannot be turned into bytes", advice: "check the value against its type's range")

    static func att(_ error: ATTError, from peer: String) -> Self {
        let wantsPairing = error == .insufficientAuthentication || error == .insufficientEncryption
        let advice =
            "the devices have to be paired first: listen to pairingRequests(capability:) of the manager, and accept; "
            + "where that was done, the peripheral wants a passkey, which takes a capability"
        return Self(
            .att(error), "the \(peer) answered: \(error)", advice: wantsPairing && peer == "peripheral" ? advice : nil)
    }

    static func backend(_ failure: BackendFailure) -> Self {
        Self(.backend(failure), failure.text, advice: failure.advice)
    }

    static func pairing(_ failure: PairingFailure) -> Self {
        Self(.pairing(failure), failure.message, advice: failure.advice)
    }

    static func restoration(_ failure: RestorationFailure) -> Self { Self(.misuse, failure.description) }

    static func notDiscovered(_ uuid: BluetoothUUID, call: String) -> Self {
        Self(
            .lookup, "\(uuid) is not among what was discovered since the peripheral connected",
            advice: "call \(call) after each connection, for the service that has it or for all of them; "
                + "where that was done, the peripheral does not have it")
    }

    static func missing(_ uuid: BluetoothUUID, _ what: String) -> Self {
        Self(
            .lookup, "the peripheral has no \(what) \(uuid)",
            advice: "check the UUID, and that this is the right device; where its firmware changed, discover again")
    }

    /// A peripheral that has no value for a readable characteristic answers with an empty value; that case has its own
    /// advice.
    static func undecodable(_ bytes: Bytes, from uuid: BluetoothUUID, _ error: SerDeError) -> Self {
        bytes.isEmpty
            ? Self(
                .serialization, "cannot decode an empty value of \(uuid): \(error)",
                advice: "the peripheral has set no value yet, or the declared type is not what it sends")
            : Self(
                .serialization, "cannot decode the value \(bytes) of \(uuid): \(error)",
                advice: "compare the declared type with what the peripheral sends")
    }

    static func ambiguous(_ uuid: BluetoothUUID, _ count: Int, _ things: String, advice: String) -> Self {
        Self(.lookup, "\(count) \(things) have the UUID \(uuid)", advice: advice)
    }

    static func valueTooLong(_ count: Int, maximum: Int) -> Self {
        Self(.misuse, "\(count) bytes are too many", advice: "send \(maximum) bytes at most")
    }
}
