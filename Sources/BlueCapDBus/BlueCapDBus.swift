// SPDX-License-Identifier: MIT

// # The D-Bus layer
//
// Everything here is `package` and, but for values, exists on Linux with the trait `BlueZ`.
//
// - `EventLoop`: one thread; serial executor, task executor, `submit`, timers (`after`, `cancel`), descriptors
//   (`watch`, `change`, `unwatch`). Create one per process or session, `stop()` it when done.
// - `BusLink`: a connection seen from its loop. Synchronous, in bus order, traps off the loop:
//   - `BusLink.open(address, on: loop) { result in }`, `close()`, `onDisconnect { }`, `metrics`
//   - `call(message, deadline:) { result in }` returns a `CallID` for `cancel(_:)`; `send(message)` for signals
//   - `watchName("org.bluez", handler: { change in }, ready: { owner in })`, `owner(of:)`, `requestName`, `releaseName`
//   - `addMatch(MatchRule(...))` brings signals in; `onSignal(scope, sender:) { message in }` routes
//   - `export(interfaces, at: path)`, `exportObjectManager(at:)`, `emitPropertiesChanged` for objects of our own
// - `BusConnection`: an actor on the loop over `BusLink` (`connection.link`) for async callers: `open`, `call`, …
// - `Message`, `MessageBuilder`, `DBusValue`: messages are immutable; `Message.methodCall(to:path:interface:member:)`
//   makes one, `message.body()` or `body(expecting: "ay")` reads one, `takeDescriptor(at:)` takes a descriptor out.
// - `MessageTransport`: what carries messages, which is `LibraryTransport`: libdbus connects and authenticates. What comes is
//   read by a `FrameReceiver`, cut by a `FrameSplitter`, checked by `FrameHeader` and `WireChecker`; what goes is built by a
//   `HeaderWriter` and a `WireWriter` and written by a `FrameSender`.
// - `FileDescriptor`, `PacketPair`, `PacketReader`, `PacketWriter`: the sockets of AcquireNotify and
//   AcquireWrite; `PacketChannel` writes to such a socket off the loop.
//
// From code on the loop (an actor whose `unownedExecutor` is the loop's, or a handler called by it):
//
//     let read = try Message.methodCall(
//         to: "org.bluez", path: path, interface: "org.bluez.GattCharacteristic1", member: "ReadValue",
//         body: [.properties(["offset": .uint16(0)])])
//     let id = link.call(read, deadline: .seconds(30)) { result in
//         let bytes = try? result.get().body(expecting: "ay").first?.bytesValue
//     }
//     link.cancel(id)  // the handler gets `.cancelled`; the call keeps its slot until bluetoothd answers
