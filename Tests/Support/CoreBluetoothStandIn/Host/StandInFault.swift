// SPDX-License-Identifier: MIT

/// A misbehaviour of CoreBluetooth that was reported somewhere, switched on by ``StandIn/faults``.
public enum StandInFault: String, Sendable, Hashable, CaseIterable {
    /// `peripheralIsReady` stays away, and `canSendWriteWithoutResponse` is false until something was sent (E5).
    case noReadySignal
    /// A notification arrives between a read and its answer (E1).
    case valueBetweenReadAndAnswer
    /// The first `didUpdateState` below powered on is followed by a late didDisconnect for each link. Without the fault
    /// none comes (M4).
    case lateDisconnectAfterPowerOff
    /// Switching the radio off clears the local database, as only a reset does otherwise (M6).
    case databaseCleared
    /// Service Changed names some services, and every attribute object of the peripheral is invalid (D3).
    case allObjectsNew
    /// An attempt to connect is answered by didDisconnect alone (C3).
    case disconnectBeforeConnect
    /// didConnect comes twice (C11).
    case connectTwice
    /// An attempt to connect is answered by didFailToConnect (C1).
    case failsToConnect
    /// A discovery is not answered (D2).
    case silentDiscovery
    /// Cancelling a connection or an attempt is not answered (C2).
    case silentCancel
    /// Cancelling a connection or an attempt is answered three seconds after it has ended (C2).
    case lateCancel
    /// A connection or an attempt that is cancelled is `.disconnecting` for three seconds, up to its didDisconnect. An
    /// attempt that is asked for meanwhile begins then (C2).
    case slowCancel
    /// A delegate is still called once after `delegate` became nil (M9).
    case callbackAfterInvalidate
    /// A write without response is followed by didWriteValueFor with the ATT error 114 (E4).
    case writeCallbackForCommand
    /// The attributes of a peripheral end with its link, as Apple's page says (C4).
    case attributesEnd
    /// `setNotifyValue` to the state that is there already is answered from inside the call, and so are a service and
    /// an advertisement that are refused (M10).
    case answersInside
    /// An attempt to connect to what is connected already is not answered (R4).
    case silentForConnected
    /// A restored peripheral is `.connecting` and stays so until it is cancelled (R4).
    case restoredStaysConnecting
    /// A start of the advertisement is not answered (H4).
    case silentStart
    /// A stop of the advertisement takes until the radio has answered, and a start meanwhile is refused (H4).
    case slowStop
    /// A stream of a channel gives the bytes of several units at once, and several writes become one unit (L6).
    case joinsUnits
    /// A stream of a channel takes and gives a hundred bytes at a time (L6).
    case cutsUnits
    /// The end of a channel is signalled while bytes of it wait to be read (L6).
    case endsEarly
    /// A stream of a channel does not tell that it has room (L4).
    case silentRoom
    /// The streams of a channel do not tell its end (L4).
    case silentEnd
    /// Opening a channel, or publishing a PSM, is not answered (L2).
    case silentOpen
    /// Opening a channel is answered three seconds after the channel is open, or its link has ended (L2).
    case lateOpen
    /// Opening a channel, or publishing a PSM, fails (L2).
    case failsToOpen
    /// Opening a channel is answered with neither a channel nor an error (L2).
    case opensNothing
    /// Opening a channel is answered with one that has no streams.
    case opensWithoutStreams
    /// Errors have codes that no header names (F3, F4).
    case unknownErrorCodes
}
