// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
import BlueCapPlatform
import CBlueCapMosquitto

// SAFETY: the pointer is made here, handed to libmosquitto alone, and destroyed with this object.
/// The client of libmosquitto, which one thread alone may use.
///
/// It is for one connection: over another one it would send its unanswered messages of QoS 1 again, whatever became of
/// them. Its user waits for the socket and calls ``read()``, ``write()`` and ``keepAlive()``; ``handler`` is called
/// from within these alone.
@safe
final class MosquittoClient {
    /// An event of the connection.
    enum Event {
        case connected
        case refused(BrokerRefusal)
        /// The connection was lost, or was ended by this side; the library's words for the reason.
        case disconnected(String)
        /// The broker has taken the message of the number, or has refused it.
        case acknowledged(Int32, Bool)
        case received(BrokerMessage)
        /// A message was dropped, as its payload or its topic is longer than ``maximumPayload``. The library has read
        /// all of it by then.
        case oversized(topic: String)
        /// The broker does not let this client subscribe to a topic.
        case unsubscribed(topic: String)
    }

    /// The longest message that this program takes is a command.
    static let maximumPayload = 4096
    /// The topics of this program are shorter.
    private static let maximumTopic = 512

    var handler: ((Event) -> Void)?
    private let client: OpaquePointer
    /// The last error in the library's log: in a handshake OpenSSL's.
    private var lastError: String?
    /// Whether the library has reported the end of a connection since the last reading began.
    private var hasReportedEnd = false
    private let settings: BrokerSettings
    private let address: BrokerAddress
    private let version: Int32
    /// The topics that the broker was asked for, by the numbers with which it answers.
    private var asked: [Int32: String] = [:]

    /// - Parameters:
    ///   - settings: The settings of the connection.
    ///   - address: The address of the broker.
    ///   - version: The version of the protocol, as `MQTT_PROTOCOL_V5`.
    /// - Throws: `.setup` where memory, the certificate's files or the will are not taken.
    init(_ settings: BrokerSettings, to address: BrokerAddress, version: Int32) throws(BrokerFailure) {
        // Counted by the library; it is never taken down, as another client may be in use.
        mosquitto_lib_init()
        guard let client = unsafe mosquitto_new(settings.clientID, true, nil) else {
            throw .setup("libmosquitto has no memory")
        }
        unsafe self.client = client
        (self.settings, self.address, self.version) = (settings, address, version)
        unsafe mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        listen()
        unsafe mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        try set("the version of MQTT") { unsafe mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version) }
        try set("the user") { unsafe mosquitto_username_pw_set(client, settings.username, settings.password?.text) }
        if let will = settings.will {
            try set("the will") {
                unsafe mosquitto_will_set(
                    client, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained)
            }
        }
        if address.isSecure { try secure() }
    }

    deinit { unsafe mosquitto_destroy(client) }

    /// The socket; nil where there is no connection, nor one under way.
    var socket: Int32? {
        let socket = unsafe mosquitto_socket(client)
        return socket >= 0 ? socket : nil
    }

    var wantsWrite: Bool { unsafe mosquitto_want_write(client) }

    /// Begins to connect; waits for the name of the host to be resolved.
    func connect() throws(BrokerFailure) {
        let seconds = max(settings.keepAlive.components.seconds, 5)
        try set("\(address)") {
            unsafe mosquitto_connect_async(
                client, address.host, Int32(address.port), Int32(clamping: seconds))
        }
    }

    /// Reads from the socket, or goes on with a handshake of TLS.
    ///
    /// A handshake that fails is an end of the connection which the library does not report.
    func read() {
        hasReportedEnd = false
        let status = unsafe mosquitto_loop_read(client, 1)
        guard status != MOSQ_ERR_SUCCESS.rawValue, !hasReportedEnd else { return }
        handler?(.disconnected(reason(status)))
    }

    /// The words for a status, and the error in the log that came before it.
    private func reason(_ status: Int32) -> String {
        if status == MOSQ_ERR_ERRNO.rawValue { return unsafe String(cString: strerror(errno)) }
        let text = unsafe String(cString: mosquitto_strerror(status))
        return lastError.take().map { "\(text) \($0)" } ?? text
    }

    /// Has the system gather small messages in one packet, or send the gathered messages; see tcp(7).
    func gather(_ isOn: Bool) {
        guard let socket else { return }
        var value: Int32 = isOn ? 1 : 0
        unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    func write() { unsafe mosquitto_loop_write(client, 1) }

    /// Sends a sign of life when it is due, and ends a connection that has been silent for too long.
    func keepAlive() { unsafe mosquitto_loop_misc(client) }

    /// Sends a message with QoS 1.
    ///
    /// - Returns: The number by which it is acknowledged; nil if the library refuses it.
    func publish(_ message: BrokerMessage) -> Int32? {
        var properties: OpaquePointer?
        // Nothing of MQTT 3.1.1 has an end.
        if let expiry = message.expiry, version == MQTT_PROTOCOL_V5 {
            unsafe mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        defer { unsafe mosquitto_property_free_all(&properties) }
        var number: Int32 = 0
        let status = unsafe mosquitto_publish_v5(
            client, &number, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained,
            properties)
        // A message that the library could not write stays unanswered.
        let kept = [MOSQ_ERR_SUCCESS, MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO]
        return kept.contains { $0.rawValue == status } ? number : nil
    }

    /// Ends the library's log, which tells why a handshake has failed: it writes a line for each message.
    func endLog() { unsafe mosquitto_log_callback_set(client, nil) }

    func subscribe(_ topic: String) {
        var number: Int32 = 0
        let status = unsafe mosquitto_subscribe(client, &number, topic, 1)
        if status == MOSQ_ERR_SUCCESS.rawValue { asked[number] = topic }
    }

    /// Says farewell: the broker does not publish the will.
    func disconnect() { unsafe mosquitto_disconnect(client) }

    private func secure() throws(BrokerFailure) {
        // Without a file of one's own the library wants a folder: the system's certificates.
        let folder = settings.authorityFile == nil ? "/etc/ssl/certs" : nil
        try set("the certificates") {
            unsafe mosquitto_tls_set(
                client, settings.authorityFile, folder, settings.certificateFile, settings.keyFile, nil)
        }
    }

    private func set(_ subject: String, _ call: () -> Int32) throws(BrokerFailure) {
        let status = call()
        guard status != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw .setup("\(subject): \(reason(status))")
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
        // SAFETY: the context is this object, which outlives the client that has it.
        unsafe context.map { unsafe Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func listen() {
        unsafe mosquitto_log_callback_set(client) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
            unsafe MosquittoClient.of(context)?.lastError = String(cString: text)
        }
        unsafe mosquitto_connect_v5_callback_set(client) { _, context, code, _, _ in
            let client = unsafe MosquittoClient.of(context)
            client?.handler?(code == 0 ? .connected : .refused(BrokerRefusal(code: code)))
        }
        unsafe mosquitto_disconnect_v5_callback_set(client) { _, context, code, _ in
            let reason = unsafe String(cString: code < 0x80 ? mosquitto_strerror(code) : mosquitto_reason_string(code))
            let client = unsafe MosquittoClient.of(context)
            client?.hasReportedEnd = true
            let refusal = BrokerRefusal(code: code)
            if refusal.isOfNamesake { client?.handler?(.refused(refusal)) }
            client?.handler?(.disconnected(reason))
        }
        unsafe mosquitto_publish_v5_callback_set(client) { _, context, number, code, _ in
            unsafe MosquittoClient.of(context)?.handler?(.acknowledged(number, code < 0x80))
        }
        unsafe mosquitto_subscribe_v5_callback_set(client) { _, context, number, count, granted, _ in
            guard let client = unsafe MosquittoClient.of(context), let topic = client.asked.removeValue(forKey: number),
                count == 1, let granted = unsafe granted?.pointee, granted >= 0x80
            else { return }
            client.handler?(.unsubscribed(topic: topic))
        }
        unsafe mosquitto_message_v5_callback_set(client) { _, context, message, _ in
            guard let client = unsafe MosquittoClient.of(context), let message = unsafe message?.pointee,
                let topic = unsafe message.topic
            else { return }
            // Others than commands are a few words.
            let count = unsafe Int(message.payloadlen)
            let name = unsafe String(cString: topic)
            guard name.utf8.count <= MosquittoClient.maximumTopic else { return }
            guard count <= (name.hasSuffix("/set") ? MosquittoClient.maximumPayload : 1024) else {
                client.handler?(.oversized(topic: name))
                return
            }
            let payload = unsafe [UInt8](UnsafeRawBufferPointer(start: message.payload, count: count))
            unsafe client.handler?(.received(BrokerMessage(topic: name, payload: payload, isRetained: message.retain)))
        }
    }
}
#endif
