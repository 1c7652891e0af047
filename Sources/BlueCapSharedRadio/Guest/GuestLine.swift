// SPDX-License-Identifier: MIT

import BlueCapCore

/// The connection of a guest's backend to a shared radio: its commands go out, and its events come in.
struct GuestLine<Event: JournalCodable & Sendable> {
    let door: any RadioDoor
    let hello: GuestHello
    /// The event of a radio that is not there, for a reason.
    let absent: (BackendFailure) -> Event
    private var channel: (any FrameChannel)?
    private var isOver = false

    init(_ door: any RadioDoor, _ hello: GuestHello, absent: @escaping (BackendFailure) -> Event) {
        (self.door, self.hello, self.absent) = (door, hello, absent)
    }

    /// Connects and says who comes.
    ///
    /// - Returns: The event of a radio that is not there.
    mutating func open(_ receive: @escaping @Sendable (FrameArrival) -> Void) -> Event? {
        do throws(BackendFailure) {
            channel = try door.open(receive)
        } catch {
            return absent(error)
        }
        if let frame = Frame.encode(hello) { channel?.send(frame) }
        return nil
    }

    /// Whether the message went out; one that no frame has room for does not.
    @discardableResult
    func send(_ message: GuestMessage) -> Bool {
        guard let frame = Frame.encode(message) else { return false }
        channel?.send(frame)
        return true
    }

    /// The event that an arrival is, of the role or of its channels; nil once the radio is gone.
    mutating func take(_ arrival: FrameArrival) -> HostMessage<Event>? {
        guard !isOver else { return nil }
        switch arrival {
        case .ended(let failure): return leave(failure ?? .ended)
        case .frame(let frame):
            do throws(JournalFailure) {
                let message = try Frame.decode(HostMessage<Event>.self, from: frame)
                if case .refused(let failure) = message { return leave(failure) }
                return message
            } catch {
                return leave(.malformed)
            }
        }
    }

    private mutating func leave(_ failure: BackendFailure) -> HostMessage<Event> {
        close()
        return .event(absent(failure))
    }

    mutating func close() {
        isOver = true
        channel?.close()
        channel = nil
    }
}
