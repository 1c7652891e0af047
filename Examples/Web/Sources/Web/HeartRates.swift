// SPDX-License-Identifier: MIT

import BlueCap
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// The pages of the server.
struct HeartRates: Sendable {
    /// A strap as the page gets it.
    struct Strap: ResponseEncodable {
        let id: String
        let name: String
    }

    let central: CentralManager
    let logger: Logger

    /// The page, the straps as JSON, the values of one as a stream, and the metrics.
    func router(_ metrics: PrometheusMetrics) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: MetricsMiddleware())
        router.get("/") { _, _ in response("text/html; charset=utf-8", Page.html) }
        router.get("straps") { _, _ in
            straps.map { Strap(id: $0.identifier.text, name: $0.displayName) }
        }
        router.get("straps/:id/values") { request, context in
            let id = try context.parameters.require("id").removingPercentEncoding
            // Only straps that the scan has found: a browser cannot make the server connect to another device.
            guard let strap = straps.first(where: { $0.identifier.text == id }) else { throw HTTPError(.notFound) }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
                body: values(of: strap, for: request))
        }
        router.get("metrics") { _, _ in response("text/plain; version=0.0.4", metrics.text) }
        return router
    }

    /// The straps among the peripherals that the manager keeps: the last ones that it sighted, and the connected ones.
    private var straps: [Peripheral] {
        central.peripherals.filter { $0.advertisements.serviceUUIDs.contains(HeartRateService.uuid) }
    }

    private func response(_ type: String, _ text: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Sends a strap's measurements to one browser, as Server-Sent Events, until one of the two leaves or the server
    /// ends.
    private func values(of strap: Peripheral, for request: Request) -> ResponseBody {
        ResponseBody { writer in
            // A browser that is slow misses values, and holds up nobody.
            let (events, sender) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
            try await request.body.consumeWithInboundCloseHandler { _ in
                // When this scope is left, the task is cancelled and waited for: so is the browser's use of the link.
                async let _ = cancelWhenGracefulShutdown { await listen(to: strap, sender) }
                for await event in events { try await writer.write(ByteBuffer(string: event)) }
            } onInboundClosed: {
                sender.finish()
            }
            try await writer.finish(nil)
        }
    }

    /// Hands on a strap's measurements, until the task is cancelled or the strap was away for a minute. A browser asks
    /// again a few seconds after the end of its stream.
    private func listen(to strap: Peripheral, _ sender: AsyncStream<String>.Continuation) async {
        let policy = ReconnectPolicy(
            maximumTimeouts: nil, maximumDisconnections: nil,
            backoff: .exponential(initial: .seconds(1), maximum: .seconds(10)), maximumAbsence: .seconds(60))
        do {
            try await strap.stayConnected(policy, timeout: .seconds(30), discovering: [HeartRateService.uuid]) {
                strap in
                let measurement = try strap.characteristic(HeartRateService.Measurement.self)
                for try await value in try await measurement.notifications(capacity: .newest(16)) {
                    sender.yield("data: {\"beatsPerMinute\": \(value.beatsPerMinute)}\n\n")
                }
            }
        } catch {
            if !Task.isCancelled { logger.info("\(strap): \(error)") }
        }
        sender.finish()
    }
}
