// SPDX-License-Identifier: MIT

#if DEBUG
/// Rules of the managers that a test of the simulation leaves out, to show that the simulation notices.
///
/// It is no part of a release build, and empty unless a test of this package says otherwise. A manager reads it once,
/// when it is made.
package struct SuspendedRules: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A request that was sent and whose caller gave up keeps its place until the backend has answered.
    package static let orphanSlots = Self(rawValue: 1)
    /// A listener is there before its subscription is asked for.
    package static let earlyListeners = Self(rawValue: 2)
    /// The end of a link ends the requests that were made on it.
    package static let drainAtDisconnect = Self(rawValue: 4)

    /// What the managers that are made in this task leave out.
    @TaskLocal package static var current: SuspendedRules = []
}
#endif
