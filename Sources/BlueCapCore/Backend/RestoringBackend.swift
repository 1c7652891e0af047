// SPDX-License-Identifier: MIT

/// What backends of both roles say about restoration; the contract goes with those of ``CentralBackend`` and
/// ``PeripheralBackend``.
///
/// A manager with an identifier keeps a journal by itself, so a backend has nothing to do but to take up what stands:
/// to answer `connect` of a peripheral whose link stands with `.connected`, and to give services the handles that are
/// asked for. Where the platform restores programs by itself (CoreBluetooth), the backend says what it kept by
/// `.restored`, before its first `.stateChanged`. The manager then connects to those peripherals, and adds and
/// advertises those services and advertisements, as soon as the radio is on; what the platform has of them already is
/// answered at once.
public protocol RestoringBackend: RadioActor {
    /// Where managers over the backend keep their journals, unless their configuration names another place.
    nonisolated var restorationStore: any RestorationStore { get }

    /// Whether `.restored` may come.
    nonisolated var restoresState: Bool { get }
}

extension RestoringBackend {
    /// Files in the folder of the environment.
    public nonisolated var restorationStore: any RestorationStore { FileRestorationStore() }

    /// The platform forgets a program with its end.
    public nonisolated var restoresState: Bool { false }
}
