// SPDX-License-Identifier: MIT

package import BlueCapCore

extension BackendFailure {
    /// A failure of a shared radio by its name.
    static func sharedRadio(_ name: String, _ message: String, advice: String? = nil) -> BackendFailure {
        BackendFailure(name: "SharedRadio.\(name)", message: message, advice: advice)
    }

    /// No program shares a radio at a path.
    package static func unshared(at path: String) -> BackendFailure {
        .sharedRadio(
            "Absent", "no program shares a radio at \(path)",
            advice: "start the program that shares it, or 'bluecap emulate' with this path")
    }

    static func foreign(_ path: String) -> BackendFailure {
        .sharedRadio("Foreign", "the radio at \(path) is another user's", advice: "use a path of your own")
    }

    /// The program that shared the radio is gone.
    static let ended = BackendFailure.sharedRadio(
        "Ended", "the program that shared its radio has ended", advice: "start it again, and then this one")

    /// The other end does not speak as agreed.
    static let malformed = BackendFailure.sharedRadio("Malformed", "the other program sends what is no message")

    /// The other end does not read.
    static let tooSlow = BackendFailure.sharedRadio("TooSlow", "the other program does not read what it is sent")

    /// The guest asks for more at once than a radio keeps for one.
    static let tooMuch = BackendFailure.sharedRadio("TooMuch", "the program asks for too much at once")

    static func otherVersion(_ version: Int) -> BackendFailure {
        .sharedRadio(
            "OtherVersion", "the two programs speak versions \(version) and \(GuestHello.version) of a shared radio",
            advice: "build both with one version of BlueCap")
    }

    static let tooLong = BackendFailure.sharedRadio("TooLong", "the message is too long for a shared radio")
}
