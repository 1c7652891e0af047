// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A peripheral backend between a manager and another backend, that inspects every call and event.
actor WatchedPeripheral<Base: PeripheralBackend>: PeripheralBackend, WatchedChannels {
    nonisolated let base: Base
    private nonisolated let watch: ServerWatch

    init(_ base: Base, watch: ServerWatch) {
        self.base = base
        self.watch = watch
    }

    nonisolated var channelWatch: ChannelWatch { watch.channels }
    nonisolated var executor: any BackendExecutor { base.executor }

    // SAFETY: `base` keeps its executor alive for as long as the actor lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe base.unownedExecutor }

    nonisolated var features: PeripheralFeatures { base.features }
    nonisolated var accessTimeLimit: Duration? { base.accessTimeLimit }
    nonisolated var ownClock: BlueCapClock { base.ownClock }
    nonisolated var restorationStore: any RestorationStore { base.restorationStore }
    nonisolated var restoresState: Bool { base.restoresState }

    nonisolated func isSendable(_ error: ATTError) -> Bool { base.isSendable(error) }

    nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        base.excessByteCount(of: advertisement)
    }

    nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        base.unsupportedOption(of: advertisement)
    }

    func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        let watch = watch
        base.onExecutor {
            $0.activate(
                clock: clock,
                sink: PeripheralEventSink { event in
                    watch.saw(event)
                    sink(event)
                })
        }
    }

    func invalidate() {
        watch.ended()
        base.onExecutor { $0.invalidate() }
    }

    func setPairingCapability(_ capability: PairingCapability?) {
        watch.toldPairingCapability(capability)
        base.onExecutor { $0.setPairingCapability(capability) }
    }

    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        watch.toldToAnswer(prompt, answer)
        base.onExecutor { $0.answerPairing(prompt, answer) }
    }

    func perform(_ request: PeripheralRequest) {
        watch.toldToPerform(request)
        base.onExecutor { $0.perform(request) }
    }

    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        watch.toldToRespond(access, result)
        base.onExecutor { $0.respond(to: access, result) }
    }
}
