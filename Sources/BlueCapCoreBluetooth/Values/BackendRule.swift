// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
/// The rules of the backends that tests over the stand-in break, one at a time, to show that the suite notices.
///
/// A program has no way to break one: outside a build of those tests `breaks` is the constant false.
enum BackendRule: String, Sendable, CaseIterable {
    /// E3: a callback answers the oldest request of its line.
    case firstInFirstOut
    /// D3: the objects of attributes are forgotten when the services have changed.
    case forgottenAttributes
    /// E5: a value is written without a response only where there is room.
    case roomForCommands
    /// D6: an attribute has the same number in each connection.
    case lastingNumbers
    /// E2: a value is copied in its callback.
    case copiedValues
    /// M5: the objects of peripherals are dropped below `.poweredOff`.
    case droppedPeripherals
    /// M4: links end with the radio, without a callback.
    case droppedLinks
    /// C2: a cancelled link ends without an answer, too.
    case boundedCancels
    /// C14: the length of values is looked at after the discovery.
    case lengthAfterDiscovery
    /// D1: of a list those count that were asked for.
    case wantedOnly
    /// J1: the queue goes on when CoreBluetooth has room for updates.
    case readySignal
    /// J1: an update that CoreBluetooth did not take is sent again.
    case refusedUpdates
    /// I2: an array of writes has one answer.
    case oneAnswer
    /// M6: the manager publishes again what CoreBluetooth has lost.
    case lostRegistrations

    #if BLUECAP_COREBLUETOOTH_STANDIN
    /// The rule that the backends break that are made in this task.
    @TaskLocal static var broken: BackendRule?
    #endif
}
#endif
