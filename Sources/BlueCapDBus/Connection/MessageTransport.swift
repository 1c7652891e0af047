// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Carries messages between a `BusLink` and its bus. Loop only.
protocol MessageTransport: AnyObject {
    /// Sets out to connect. From now until `close`, or until it has reported its end, it holds the receiver and passes
    /// messages on to it.
    func open(for receiver: any MessageReceiver) throws(DBusError)

    /// Queues a copy of the message and returns its serial. Throws `.invalidArgument` for descriptors that the bus does
    /// not pass, `.disconnected` when there is no connection.
    func send(_ message: Message) throws(DBusError) -> UInt32

    /// Releases the connection and the receiver. May be called repeatedly.
    func close()
}

/// The receiver of messages, called at the loop's top level only, never from inside a call into the transport.
protocol MessageReceiver: AnyObject {
    /// A message of a known type came, with a header that is well-formed, in the order of the bus.
    ///
    /// The frame is a view of the received bytes, so that an unwanted message costs no more than its header: a
    /// `Message` keeps it. Throws `.malformed` for a body that is wanted and breaks D-Bus's rules; the transport then
    /// ends.
    func receive(_ frame: Frame) throws(DBusError)

    /// Nothing more will come: `.disconnected` when the bus has closed, `.malformed` when it broke D-Bus's rules.
    func ended(_ error: DBusError)
}
#endif
