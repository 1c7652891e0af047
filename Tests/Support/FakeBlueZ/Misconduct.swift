#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import DBus

/// How a daemon misbehaves in a simulation; on the fake's thread only.
struct Misconduct {
    private static let calls = [
        "Connect", "Disconnect", "ReadValue", "WriteValue", "StartNotify", "StopNotify", "AcquireWrite",
        "AcquireNotify", "StartDiscovery", "StopDiscovery", "SetDiscoveryFilter", "RemoveDevice", "RegisterApplication",
        "UnregisterApplication", "RegisterAdvertisement", "UnregisterAdvertisement",
    ]
    /// What bluetoothd refuses only where there is nothing to take back.
    private static let neverRefused: Set = ["StopNotify", "UnregisterApplication", "UnregisterAdvertisement"]
    private static let errors: [FakeFailure] = [.inProgress, .notReady, FakeFailure("Failed", "Operation failed")]

    private var faults: [ServiceFault] = []
    private var held: [(fault: ServiceFault, serve: () -> Void)] = []

    var repeatsItself: Bool { faults.contains(.repeatsItself) }

    mutating func begin(_ fault: ServiceFault) { faults.append(fault) }

    /// - Returns: What was held back, to be done now.
    mutating func end(_ fault: ServiceFault) -> [() -> Void] {
        faults.removeAll { $0 == fault }
        defer { held.removeAll { $0.fault == fault } }
        return held.filter { $0.fault == fault }.map(\.serve)
    }

    /// Takes a call that is not to be served now.
    ///
    /// - Parameter serve: What serves it later.
    /// - Returns: Whether it took the call.
    mutating func takes(_ call: MethodCall, of daemon: FakeDaemon, _ serve: @escaping () -> Void) -> Bool {
        for fault in faults {
            switch fault {
            case .refuses(let number) where Self.isMeant(call, number) && !Self.isNeverRefused(call):
                call.fail(Self.errors[number % Self.errors.count])
                return true
            case .holdsBack(let number) where Self.isMeant(call, number):
                held.append((fault, serve))
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

    /// Answers with an error what has been answered.
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
