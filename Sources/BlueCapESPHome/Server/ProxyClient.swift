// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore

/// The session of one client: from its first byte to its end. A machine: bytes and times in, actions out.
struct ProxyClient: Sendable {
    enum Action {
        case send([UInt8])
        /// It said hello: its words for itself.
        case greeted(String)
        /// A wish that concerns more than the session.
        case request(any APIMessage)
        /// The connection ends, once the bytes before are out; without a fault the client has left.
        case end(ProxyFault?)
    }

    private enum Stage {
        case new
        case greeted
        case over
    }

    /// How long a client may take to say hello.
    private static let helloLimit = Duration.seconds(60)
    /// The version of the API, which was the first with UUIDs in 16 and 32 bits.
    private static let version: (major: UInt32, minor: UInt32) = (1, 12)

    private let identity: ProxyIdentity
    private let isEncrypted: Bool
    private let features: UInt32
    private let silence: Duration
    private var wire: ServerWire
    private var stage = Stage.new
    private let begun: Duration
    private var lastHeard: Duration
    /// When it was asked for a sign of life, since it was heard last.
    private var pinged: Duration?
    /// Whether it knows UUIDs in 16 and 32 bits.
    private(set) var knowsShortUUIDs = false

    init(
        _ identity: ProxyIdentity, key: NoiseKey?, features: ProxyFeatures, silence: Duration,
        at elapsed: Duration
    ) {
        (self.identity, self.silence) = (identity, silence)
        self.features = features.rawValue
        isEncrypted = key != nil
        wire = ServerWire(key: key, name: identity.name, address: identity.addressDigits)
        (begun, lastHeard) = (elapsed, elapsed)
    }

    var isGreeted: Bool { if case .greeted = stage { true } else { false } }

    /// When ``timePassed(at:)`` has something to do.
    var deadline: Duration {
        switch stage {
        case .new: begun + Self.helloLimit
        // After 60 of 150 seconds it is asked for a sign of life. It has the rest for the answer, also where the proxy
        // has stood still meanwhile.
        case .greeted: pinged.map { $0 + silence * 3 / 5 } ?? lastHeard + silence * 2 / 5
        case .over: .seconds(Int64.max)
        }
    }

    /// Takes bytes of the client.
    mutating func receive(_ bytes: some Collection<UInt8>, at elapsed: Duration) -> [Action] {
        (lastHeard, pinged) = (elapsed, nil)
        var actions: [Action] = []
        for output in wire.take(bytes) {
            switch output {
            case .send(let bytes): actions.append(.send(bytes))
            case .message(let raw): actions += take(raw)
            case .end(let fault): actions += end(fault)
            }
            if case .over = stage { break }
        }
        return actions
    }

    mutating func timePassed(at elapsed: Duration) -> [Action] {
        guard elapsed >= deadline else { return [] }
        switch stage {
        case .new: return end(.silent)
        case .greeted where pinged != nil: return end(.silent)
        case .greeted:
            pinged = elapsed
            return [.send(frame(PingRequest()))]
        case .over: return []
        }
    }

    /// The bytes of a message for the client.
    mutating func frame(_ message: any APIMessage) -> [UInt8] { frame(message.raw) }

    mutating func frame(_ message: RawMessage) -> [UInt8] { wire.frame(message) }

    private mutating func end(_ fault: ProxyFault?) -> [Action] {
        stage = .over
        return [.end(fault)]
    }

    private mutating func take(_ raw: RawMessage) -> [Action] {
        let message: (any APIMessage)?
        do { message = try APIMessages.decode(raw) } catch { return end(.malformed) }
        guard let message else { return isGreeted ? [] : end(.notGreeted) }
        if let hello = message as? HelloRequest { return greet(hello) }
        guard isGreeted else { return end(.notGreeted) }
        switch message {
        case is AuthenticationRequest: return answer(AuthenticationResponse())
        case is PingRequest: return answer(PingResponse())
        case is PingResponse, is DisconnectResponse: return []
        case is DisconnectRequest: return answer(DisconnectResponse()) + end(nil)
        case is DeviceInfoRequest: return answer(info)
        case is CapabilitiesRequest: return answer(capabilities)
        case is ListEntitiesRequest: return answer(ListEntitiesDoneResponse())
        case is SetKeyRequest: return answer(SetKeyResponse())
        default: return [.request(message)]
        }
    }

    private mutating func answer(_ message: any APIMessage) -> [Action] { [.send(frame(message))] }

    private mutating func greet(_ hello: HelloRequest) -> [Action] {
        var response = HelloResponse()
        (response.majorVersion, response.minorVersion) = Self.version
        (response.server, response.name) = ("BlueCap \(identity.version)", identity.name)
        let isShort = (hello.majorVersion, hello.minorVersion) >= Self.version
        knowsShortUUIDs = isShort
        stage = .greeted
        return answer(response) + [.greeted(String(hello.client.prefix(64)))]
    }

    private var info: DeviceInfoResponse {
        var info = DeviceInfoResponse()
        (info.name, info.friendlyName) = (identity.name, identity.friendlyName)
        (info.address, info.bluetoothAddress) = (identity.address.text, identity.bluetoothAddress.text)
        (info.version, info.model, info.manufacturer) = (ProxyIdentity.firmware, "BlueCap proxy", "BlueCap")
        (info.projectName, info.projectVersion) = (ProxyIdentity.project, identity.version)
        (info.legacyProxyVersion, info.proxyFeatures, info.isEncrypted) = (5, features, isEncrypted)
        return info
    }

    private var capabilities: CapabilitiesResponse {
        var proxy = ProxyCapability()
        (proxy.features, proxy.address) = (features, identity.bluetoothAddress.text)
        var capabilities = CapabilitiesResponse()
        capabilities.proxy = proxy
        return capabilities
    }
}
#endif
