// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A request to a control point, without its type.
struct ControlPointCall: Sendable {
    /// A message, and the test that recognizes its response.
    struct Message: Sendable {
        let value: Bytes
        private let opCode: any Hashable & Sendable
        let isResponse: @Sendable (Bytes) -> Bool
        /// Whether a response has another result than success.
        let isRefusal: @Sendable (Bytes) -> Bool

        init<Typed: ControlPointMessage>(_ message: Typed) {
            value = SerDe.serialize(message)
            let opCode = message.opCode
            self.opCode = opCode
            isResponse = { bytes in
                guard let response = try? SerDe.deserialize(bytes, as: Typed.self) else { return false }
                return response.outcome?.request == opCode
            }
            isRefusal = { bytes in
                guard let outcome = try? SerDe.deserialize(bytes, as: Typed.self).outcome else { return false }
                return outcome.result != Typed.succeeded
            }
        }

        /// Returns a Boolean value that is true if a response to another message would be taken for the response to
        /// this one.
        func isLike(_ other: Message) -> Bool { AnyHashable(opCode) == AnyHashable(other.opCode) }
    }

    let request: Message
    /// The message that ends the procedure; nil if there is none.
    let abort: Message?
    /// The number of values that the procedure has reported so far; its time limit begins again while values arrive.
    let reportCount: @Sendable () -> Int

    init<Typed: ControlPointMessage>(_ message: Typed, reportCount: @escaping @Sendable () -> Int = { 0 }) {
        request = Message(message)
        abort = Typed.abort == message ? nil : Typed.abort.map { Message($0) }
        self.reportCount = reportCount
    }
}
