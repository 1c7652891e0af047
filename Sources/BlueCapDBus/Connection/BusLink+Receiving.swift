// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
// Messages from the bus: an answer goes to its call, a signal to its handlers.
extension BusLink: MessageReceiver {
    func receive(_ frame: Frame) throws(DBusError) {
        guard phase != .closed else { return }
        received += 1
        switch frame.header.kind {
        case .methodReturn, .error: try receiveReply(frame)
        case .signal: try receiveSignal(frame)
        case .methodCall: receiveCall(try Message(frame))
        case nil: break
        }
    }

    /// Hands a signal to its handlers. The header shows whether there are any, and only then is the body looked at.
    private func receiveSignal(_ frame: Frame) throws(DBusError) {
        if let shape = frame.shape, shape.header == router.recent.shape?.header {
            return try hand(frame, to: router.recent.handlers)
        }
        guard let path = frame.place(of: .path) else { return }
        let isOwnerChange = isNameOwnerChange(frame)
        let isTaken = isOwnerChange ? try takeNameOwnerChange(frame) : false
        let candidates = router.handlers(for: frame.bytes.span.extracting(path))
        if !isOwnerChange, router.recent.holds(frame.shape, candidates) {
            router.recent.shape = frame.shape
            return try hand(frame, to: router.recent.handlers)
        }
        // Signals of other objects mostly go to the same handlers, so the last signal's handlers are kept as far as
        // they agree.
        var handlers = router.recent.handlers
        var count = 0
        var spoofed = 0
        for handler in candidates where handler.wants(frame) {
            guard handler.sender?.sent(frame) ?? true else {
                spoofed += 1
                continue
            }
            if count == handlers.count || handlers[count] !== handler {
                handlers.replaceSubrange(count..., with: CollectionOfOne(handler))
            }
            count += 1
        }
        handlers.removeLast(handlers.count - count)
        router.spoofed += spoofed
        if handlers.isEmpty, spoofed == 0, !isTaken { router.unrouted += 1 }
        // A signal that is also counted or reported has to be routed in full each time.
        let isPlain = !isOwnerChange && spoofed == 0 && !handlers.isEmpty
        router.recent =
            isPlain ? SignalRoute(shape: frame.shape, handlers: handlers, candidates: candidates) : SignalRoute()
        try hand(frame, to: handlers)
    }

    private func hand(_ frame: Frame, to handlers: [SignalHandler]) throws(DBusError) {
        var message: Message?
        // An earlier handler of the same signal may have removed a later one.
        for handler in handlers where !handler.isRemoved {
            switch handler.body {
            case .message(let body):
                let whole = if let message { message } else { try Message(frame) }
                message = whole
                body(whole)
            case .propertiesChanged(let body):
                body(try changes.read(frame))
                changes.letGo()
            }
        }
    }
}
#endif
