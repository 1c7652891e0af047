// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import BlueCapDBus

/// The misbehaviour of a daemon in a simulation; on the fake's thread only.
struct Misconduct {
    private struct HeldCall {
        let fault: ServiceFault
        let call: MethodCall
        let serve: () -> Void
    }

    private static let calls = [
        "Connect", "Disconnect", "ReadValue", "WriteValue", "StartNotify", "StopNotify", "AcquireWrite",
        "AcquireNotify", "StartDiscovery", "StopDiscovery", "SetDiscoveryFilter", "RemoveDevice", "RegisterApplication",
        "UnregisterApplication", "RegisterAdvertisement", "UnregisterAdvertisement", "Pair", "CancelPairing",
        "RegisterAgent", "RequestDefaultAgent", "UnregisterAgent",
    ]
    /// The calls that undo another call, each with the call that it undoes.
    private static let undone = [
        "Disconnect": "Connect", "StopNotify": "StartNotify", "StopDiscovery": "StartDiscovery",
        "UnregisterApplication": "RegisterApplication", "UnregisterAdvertisement": "RegisterAdvertisement",
        "CancelPairing": "Pair", "UnregisterAgent": "RegisterAgent",
    ]
    /// Calls that bluetoothd refuses only if there is nothing to undo.
    private static let neverRefused: Set = [
        "Disconnect", "StopNotify", "UnregisterApplication", "UnregisterAdvertisement", "CancelPairing",
        "UnregisterAgent",
    ]
    private static let errors: [FakeFailure] = [.inProgress, .notReady, FakeFailure("Failed", "Operation failed")]

    private var faults: [ServiceFault] = []
    private var held: [HeldCall] = []

    var repeatsItself: Bool { faults.contains(.repeatsItself) }

    mutating func begin(_ fault: ServiceFault) { faults.append(fault) }

    /// - Returns: The calls held back by the fault, to be served now.
    mutating func end(_ fault: ServiceFault) -> [() -> Void] {
        faults.removeAll { $0 == fault }
        defer { held.removeAll { $0.fault == fault } }
        return held.filter { $0.fault == fault }.map(\.serve)
    }

    /// Releases the held calls that a call undoes: bluetoothd reads the calls of a client in their order.
    ///
    /// - Returns: The released calls, to be served before the call itself.
    mutating func letIn(before call: MethodCall) -> [() -> Void] {
        // A daemon that stands still reads nothing.
        guard !faults.contains(.standsStill), let undone = call.message.member.flatMap({ Self.undone[$0] }) else {
            return []
        }
        let isUndone = { (held: MethodCall) in
            held.message.member == undone && held.message.path == call.message.path
                && held.message.sender == call.message.sender
        }
        defer { held.removeAll { isUndone($0.call) } }
        return held.filter { isUndone($0.call) }.map(\.serve)
    }

    /// Fails the held calls that wait for a device: the adapter ends their links. A call that undoes another one waits
    /// for no link: a StopNotify that failed would leave its session to the next link.
    mutating func linksEnded() {
        let failure = FakeFailure("Failed", "Not connected")
        failHeld(below: FakeDaemon.adapterPath + "/dev_", failure, but: Self.neverRefused)
    }

    /// Fails the held calls to the adapter, which is gone.
    mutating func adapterEnded() { failHeld(below: FakeDaemon.adapterPath, .gone) }

    private mutating func failHeld(below path: String, _ failure: FakeFailure, but others: Set<String> = []) {
        let isMeant = { (call: MethodCall) in
            call.message.path?.hasPrefix(path) == true && call.message.member.map(others.contains) != true
        }
        for held in held where isMeant(held.call) { held.call.fail(failure) }
        held.removeAll { isMeant($0.call) }
    }

    /// Takes over a call if it is not to be served now.
    ///
    /// - Parameter serve: Serves the call later.
    /// - Returns: Whether the call was taken over.
    mutating func takes(_ call: MethodCall, of daemon: FakeDaemon, _ serve: @escaping () -> Void) -> Bool {
        if faults.contains(.standsStill) {
            held.append(HeldCall(fault: .standsStill, call: call, serve: serve))
            return true
        }
        for fault in faults {
            switch fault {
            case .refuses(let number) where Self.isMeant(call, number) && !Self.isNeverRefused(call):
                call.fail(Self.errors[number % Self.errors.count])
                // bluetoothd drops a client's discovery even when it says that it cannot.
                return call.message.member != "StopDiscovery"
            case .holdsBack(let number) where Self.isMeant(call, number):
                held.append(HeldCall(fault: fault, call: call, serve: serve))
                return true
            case .answersTwice(let number) where Self.isMeant(call, number):
                Self.answerAgain(call, daemon)
            default: break
            }
        }
        return false
    }

    private static func isMeant(_ call: MethodCall, _ number: Int) -> Bool {
        call.message.member == calls[number % calls.count]
    }

    private static func isNeverRefused(_ call: MethodCall) -> Bool {
        call.message.member.map(neverRefused.contains) ?? true
    }

    /// Sends an error for a call that has already been answered.
    private static func answerAgain(_ call: MethodCall, _ daemon: FakeDaemon) {
        _ = daemon.after(.milliseconds(10)) { daemon in
            guard call.isAnswered else { return answerAgain(call, daemon) }
            let error = try? MessageBuilder.error(
                to: call.message, name: "org.bluez.Error.Failed", message: "answered twice")
            if let error { try? daemon.link.send(error.finish()) }
        }
    }
}
#endif
