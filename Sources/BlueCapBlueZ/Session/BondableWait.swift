// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Holds back connecting, and operations that may pair, from the registering of an agent until the kernel keeps the
/// keys of a pairing.
///
/// `RequestDefaultAgent` is answered before the kernel knows of it, and the agent's capability reaches the kernel
/// behind that. From 5.81 on BlueZ pairs over the link's own socket, which does not wait for either: a device paired in
/// between has no bond, and a link that is made in between pairs by Just Works (seen with 5.87). `Adapter1.Pairable`
/// becomes true when the kernel has answered.
// Loop only, like the agent.
final class BondableWait {
    /// How long the kernel may take; then the waiting operations go on without its answer.
    static let limit = Duration.milliseconds(500)

    private var isOpen = false
    /// Adapters of which a signal of `Pairable` came since it began.
    private var changed: Set<String> = []
    /// Whether an agent was unregistered and no signal of its end has come: the known `Pairable` is from before.
    private var isStale = false
    private var bodies: [(adapter: String, body: () -> Void)] = []

    /// An agent is being registered.
    func begin() {
        isOpen = true
        changed = []
    }

    func unregistered() { isStale = true }

    /// Whether `Pairable`, which is now so, is not true yet; nil where the adapter does not say.
    func isUnderWay(on adapter: String, isPairable: @autoclosure () -> Bool?) -> Bool {
        guard isOpen, let isPairable = isPairable() else { return false }
        // Operations that wait already come first.
        return !isPairable || isStale && !changed.contains(adapter) || bodies.contains { $0.adapter == adapter }
    }

    var isAwaited: Bool { !bodies.isEmpty }

    func add(_ adapter: String, _ body: @escaping () -> Void) { bodies.append((adapter, body)) }

    func changed(_ adapter: String, isPairable: Bool) {
        if !isPairable { isStale = false }
        guard isOpen, isPairable else { return }
        changed.insert(adapter)
        let ready = bodies.filter { $0.adapter == adapter }
        bodies.removeAll { $0.adapter == adapter }
        for (_, body) in ready { body() }
    }

    /// It took too long, or there is no agent any more.
    func end() {
        isOpen = false
        let ready = bodies
        bodies = []
        for (_, body) in ready { body() }
    }
}
#endif
