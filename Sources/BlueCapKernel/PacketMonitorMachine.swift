// SPDX-License-Identifier: MIT

/// The life of a monitor of the kernel: added while it is wanted, and again after another program removes it.
struct PacketMonitorMachine: Equatable {
    enum Event: Hashable {
        case wanted, unwanted
        /// The kernel has answered that the monitor is added, with its handle.
        case added(UInt16)
        case refused
        /// The kernel deals with a command of another program, and takes none.
        case busy
        /// The kernel has answered that the monitor is taken back, or cannot be.
        case takenBack
        /// A monitor was removed by another program, by its handle; 0 for all.
        case removed(UInt16)
        case adapterAdded, adapterRemoved
        case pauseOver
    }

    enum Action: Hashable {
        case add
        case takeBack(UInt16)
        /// Asks for ``Event/pauseOver`` after a moment: a program that removes monitors over and over costs no more.
        case pause
        case hears, isDeaf
        /// Nothing is left at the kernel, which keeps a monitor longer than the socket that added it.
        case close
        /// The same, as the kernel has refused the monitor.
        case fail
    }

    private enum Stage: Equatable {
        case absent, adding
        /// It was removed while the answer to its addition was awaited.
        case addingInVain
        case standing(UInt16)
        case takingBack(UInt16)
        case pausing
    }

    private var stage = Stage.absent
    private var isWanted = false

    mutating func handle(_ event: Event) -> [Action] {
        switch (event, stage) {
        case (.wanted, _):
            isWanted = true
            return reconcile()
        case (.unwanted, .pausing):
            isWanted = false
            return pause()
        case (.unwanted, _):
            isWanted = false
            return reconcile()
        case (.added(let handle), .adding):
            stage = .standing(handle)
            return isWanted ? [.hears] : reconcile()
        case (.added, .addingInVain): return pause()
        case (.refused, .adding), (.refused, .addingInVain):
            let wasWanted = isWanted
            (stage, isWanted) = (.absent, false)
            return [wasWanted ? .fail : .close]
        case (.busy, .adding), (.busy, .addingInVain): return pause()
        case (.busy, .takingBack): return [.pause]
        case (.pauseOver, .takingBack(let handle)): return [.takeBack(handle)]
        case (.takenBack, .takingBack):
            stage = .absent
            return reconcile()
        case (.removed(let handle), .standing(let own)) where handle == 0 || handle == own:
            return (isWanted ? [.isDeaf] : []) + pause()
        case (.removed(0), .adding):
            stage = .addingInVain
            return []
        case (.adapterRemoved, let left):
            stage = .absent
            if !isWanted { return [.close] }
            if case .standing = left { return [.isDeaf] }
            return []
        case (.adapterAdded, .absent), (.pauseOver, .pausing):
            stage = .absent
            return reconcile()
        default: return []
        }
    }

    private mutating func pause() -> [Action] {
        stage = isWanted ? .pausing : .absent
        return isWanted ? [.pause] : [.close]
    }

    /// Moves one step towards the wanted stage; each step's answer calls this again.
    private mutating func reconcile() -> [Action] {
        switch (stage, isWanted) {
        case (.absent, true):
            stage = .adding
            return [.add]
        case (.absent, false): return [.close]
        case (.standing(let handle), false):
            stage = .takingBack(handle)
            return [.takeBack(handle)]
        default: return []
        }
    }
}
