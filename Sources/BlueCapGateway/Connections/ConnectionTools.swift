// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore

/// How the program writes values and explains errors.
package struct ConnectionTools: Sendable {
    /// Writes the value that a text stands for.
    let write: @Sendable (String, Characteristic) async throws -> Void
    /// The text of an error, for people.
    let reason: @Sendable (any Error) -> String

    package init(
        write: @escaping @Sendable (String, Characteristic) async throws -> Void,
        reason: @escaping @Sendable (any Error) -> String
    ) {
        (self.write, self.reason) = (write, reason)
    }
}
#endif
