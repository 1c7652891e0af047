// SPDX-License-Identifier: MIT

import BlueCapCore

/// A central backend between a manager and another backend, that inspects every call and event.
actor WatchedCentral<Base: CentralBackend>: CentralBackend, WatchedChannels {
    nonisolated let base: Base
    private nonisolated let watch: SeamWatch

    init(_ base: Base, watch: SeamWatch) {
        self.base = base
        self.watch = watch
    }

    nonisolated var channelWatch: ChannelWatch { watch.channels }
    nonisolated var executor: any BackendExecutor { base.executor }

    // SAFETY: `base` keeps its executor alive for as long as the actor lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe base.unownedExecutor }

    nonisolated var features: CentralFeatures { base.features }
    nonisolated var ownClock: BlueCapClock { base.ownClock }
    nonisolated var restorationStore: any RestorationStore { base.restorationStore }
    nonisolated var restoresState: Bool { base.restoresState }

    func activate(clock: BlueCapClock, sink: CentralEventSink) {
        let watch = watch
        base.onExecutor {
            $0.activate(
                clock: clock,
                sink: CentralEventSink { event in
                    watch.saw(event)
                    sink(event)
                })
        }
    }

    func invalidate() {
        watch.ended()
        base.onExecutor { $0.invalidate() }
    }

    func scan(_ request: ScanRequest?) {
        watch.told("scan \(request == nil ? "no more" : "")")
        base.onExecutor { $0.scan(request) }
    }

    func connect(_ peripheral: PeerIdentifier) {
        watch.toldToConnect(peripheral)
        base.onExecutor { $0.connect(peripheral) }
    }

    func disconnect(_ peripheral: PeerIdentifier) {
        watch.toldToDisconnect(peripheral)
        base.onExecutor { $0.disconnect(peripheral) }
    }

    func setPairingCapability(_ capability: PairingCapability?) {
        watch.toldPairingCapability(capability)
        base.onExecutor { $0.setPairingCapability(capability) }
    }

    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        watch.toldToAnswer(prompt, answer)
        base.onExecutor { $0.answerPairing(prompt, answer) }
    }

    func perform(_ request: CentralRequest) {
        watch.toldToPerform(request)
        base.onExecutor { $0.perform(request) }
    }

    func writeChannel(to characteristic: AttributeID, of peripheral: PeerIdentifier) -> (any WriteChannel)? {
        base.onExecutor { $0.writeChannel(to: characteristic, of: peripheral) }
    }
}
