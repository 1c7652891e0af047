// SPDX-License-Identifier: MIT

#if ESPHome
/// The bytes of one connection at the side of a server, to messages and back: in clear text, or after a handshake.
///
/// A value without time: whatever a client sends, it answers at once, and keeps no more than a frame.
struct ServerWire: Sendable {
    enum Output: Equatable {
        /// Bytes for the client.
        case send([UInt8])
        case message(RawMessage)
        /// The connection ends, after the bytes before.
        case end(ProxyFault)
    }

    private enum Stage {
        case clear
        /// The first frame of a client, before its handshake.
        case greeting(NoiseKey)
        case handshake(NoiseHandshake)
        case open(NoiseHandshake.Transport)
        case over
    }

    /// The longest frame of a handshake that the firmware takes.
    private static let longestHandshake = 128

    private let hasKey: Bool
    /// Says who this is, to whoever asks, before any key is looked at.
    private let greeting: [UInt8]
    private var cutter: FrameCutter
    private var stage: Stage

    /// - Parameters:
    ///   - key: The key that clients have to have; nil for clear text.
    ///   - name: The name of the node.
    ///   - address: The address of the node, in twelve hexadecimal digits of lower case.
    init(key: NoiseKey?, name: String, address: String) {
        hasKey = key != nil
        greeting = [1] + Array(name.utf8) + [0] + Array(address.utf8) + [0]
        cutter = FrameCutter(key == nil ? .clear : .sealed)
        stage = key.map { .greeting($0) } ?? .clear
        if hasKey { cutter.limit = Self.longestHandshake }
    }

    /// Whether messages go both ways.
    var isOpen: Bool {
        switch stage {
        case .clear, .open: true
        case .greeting, .handshake, .over: false
        }
    }

    /// Takes the next bytes of the client.
    mutating func take(_ bytes: some Collection<UInt8>) -> [Output] {
        if case .over = stage { return [] }
        var outputs: [Output] = []
        cutter.append(bytes)
        do throws(WireError) {
            while let frame = try cutter.next() {
                outputs += try take(frame)
                if case .over = stage { return outputs }
            }
        } catch {
            outputs += refuse(error)
        }
        return outputs
    }

    /// The bytes of a message; none before the handshake, and after the end.
    mutating func frame(_ message: RawMessage) -> [UInt8] {
        switch stage {
        case .clear: return Frame.clear(message).bytes
        case .open(var transport):
            // A message longer than a frame cannot be sent: the caller cuts lists before.
            guard message.body.count <= Frame.longestBody, let text = try? transport.sending.seal(message.text) else {
                return []
            }
            stage = .open(transport)
            return Frame.sealed(text[...]).bytes
        case .greeting, .handshake, .over: return []
        }
    }

    private mutating func take(_ frame: Frame) throws(WireError) -> [Output] {
        switch (frame, stage) {
        case (.clear(let message), .clear): return [.message(message)]
        case (.sealed(let hello), .greeting(let key)):
            stage = .handshake(NoiseHandshake(key, hello: Array(hello)))
            return [.send(Frame.sealed(greeting[...]).bytes)]
        case (.sealed(let payload), .handshake(var handshake)):
            guard payload.first == 0 else {
                return end(.malformed, payload.isEmpty ? "Empty handshake message" : "Bad handshake error byte")
            }
            let (answer, transport) = try handshake.answer(Array(payload.dropFirst()))
            stage = .open(transport)
            cutter.limit = FrameCutter.longestRequest
            return [.send(Frame.sealed(([0] + answer)[...]).bytes)]
        case (.sealed(let text), .open(var transport)):
            let bytes = try transport.receiving.open(text)
            stage = .open(transport)
            return [.message(try RawMessage(text: bytes[...]))]
        default: return []
        }
    }

    /// The end by bytes that are not understood. The texts are those that clients know.
    private mutating func refuse(_ error: WireError) -> [Output] {
        let fault = ProxyFault(error, hasKey: hasKey)
        switch (stage, error) {
        case (.clear, .badIndicator):
            stage = .over
            return [.send([0] + Array("Bad indicator byte".utf8)), .end(fault)]
        case (.greeting, .badIndicator), (.handshake, .badIndicator): return end(fault, "Bad indicator byte")
        case (.greeting, .tooLong), (.handshake, .tooLong): return end(fault, "Bad handshake packet len")
        case (.handshake, .undecipherable): return end(fault, "Handshake MAC failure")
        case (.handshake, .malformed): return end(fault, "Handshake error")
        default:
            stage = .over
            // A transport has no other key than that of its handshake.
            return [.end(fault == .wrongKey ? .malformed : fault)]
        }
    }

    private mutating func end(_ fault: ProxyFault, _ text: String) -> [Output] {
        stage = .over
        return [.send(Frame.sealed(([1] + Array(text.utf8))[...]).bytes), .end(fault)]
    }
}
#endif
