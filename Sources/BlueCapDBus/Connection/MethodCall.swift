// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop
import Synchronization

/// A method call to one of our objects, to be answered exactly once, from any thread.
///
/// The first answer counts and later ones are ignored. A call that is dropped unanswered is answered with an error. A
/// caller that wants no answer gets none.
package final class MethodCall: Sendable {
    package let message: Message
    package let arguments: [DBusValue]
    private let link: BusLink
    private let isAnsweredFlag = Atomic<Bool>(false)

    init(_ message: Message, arguments: [DBusValue], link: BusLink) {
        self.message = message
        self.arguments = arguments
        self.link = link
    }

    deinit { fail(ErrorName.failed, "dropped without an answer") }

    package var isAnswered: Bool { isAnsweredFlag.load(ordering: .acquiring) }

    package var sender: String { message.sender ?? "" }

    package func reply(_ values: DBusValue...) {
        reply { builder throws(DBusError) in
            for value in values { try builder.append(value) }
        }
    }

    /// Answers with the values that `build` appends, also descriptors. A value that D-Bus forbids makes an error
    /// answer.
    package func reply(_ build: (inout MessageBuilder) throws(DBusError) -> Void) {
        guard claim() else { return }
        do throws(DBusError) {
            var builder = try MessageBuilder.reply(to: message)
            try build(&builder)
            transmit(builder.finish())
        } catch {
            transmitError(ErrorName.failed, "the answer could not be made: \(error)")
        }
    }

    package func fail(_ name: String, _ text: String = "") {
        guard claim() else { return }
        transmitError(name, text)
    }

    /// Whether the call can be answered now: it was not answered before, and an answer is wanted.
    private func claim() -> Bool {
        let first = isAnsweredFlag.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
        return first.exchanged && message.expectsReply
    }

    private func transmitError(_ name: String, _ text: String) {
        if let error = try? MessageBuilder.error(to: message, name: name, message: text) {
            transmit(error.finish())
        } else if let error = try? MessageBuilder.error(to: message, name: ErrorName.failed, message: "") {
            transmit(error.finish())
        }
    }

    private func transmit(_ answer: Message) {
        // An answer to a connection that has closed meanwhile is dropped.
        if link.loop.isCurrent {
            try? link.send(answer)
        } else {
            link.loop.submit { [link] in try? link.send(answer) }
        }
    }
}
#endif
