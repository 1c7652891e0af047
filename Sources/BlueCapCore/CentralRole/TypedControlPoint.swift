// SPDX-License-Identifier: MIT

public import BlueCapRuntime
public import BlueCapSerDe

/// A control point of a connected peripheral: a characteristic to which requests are written, and whose indications are
/// the responses.
///
/// ```swift
/// let machine = try treadmill.controlPoint(FitnessMachineService.ControlPoint.self)
/// try await machine.request(.requestControl)
/// try await machine.request(.set(.speed(try Scaled(8.5))))
/// ```
///
/// The first request on a connection has indications switched on, and they stay on until the connection ends or
/// ``Characteristic/stopNotifying(timeout:)``. Requests to one control point go out one at a time in the order of the
/// calls, from any handle: the next request is written when the response to the last one has arrived.
/// ``TypedMutableCharacteristic/controlPointRequests(timeLimit:)`` is the counterpart in the peripheral role.
public struct TypedControlPoint<Message: ControlPointMessage>: Sendable {
    /// The error of a request: the result of the service, or the error of the characteristic.
    public typealias Failure = ControlPointError<Message.Result>

    /// The characteristic itself, for its other listeners and its properties.
    public let characteristic: Characteristic
    /// The policy that decides if a request that is not written yet ends with the connection, or waits for the next
    /// one.
    ///
    /// A written request always ends with the connection, because the peripheral may have carried it out.
    public let onDisconnect: DisconnectPolicy

    /// Creates a control point with messages of the type from a characteristic, whose UUID is not checked.
    ///
    /// - Parameters:
    ///   - characteristic: A characteristic that can be written and that indicates.
    ///   - onDisconnect: The policy that decides if a request that is not written yet ends with the connection, or
    ///     waits for the next one.
    public init(_ characteristic: Characteristic, onDisconnect: DisconnectPolicy = .end) {
        (self.characteristic, self.onDisconnect) = (characteristic, onDisconnect)
    }

    /// The UUID of the characteristic.
    public var uuid: BluetoothUUID { characteristic.uuid }

    /// Writes a request, and returns its response.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - timeout: The maximum time from the call, including the requests before it; nil for the time of these
    ///     requests and the 30 seconds that the specifications allow a peripheral. A request that was written cannot be
    ///     withdrawn: its caller stops waiting, and the next request is written after the response, at most 30 seconds
    ///     later, or after the request that ends the procedure, if the control point has one
    ///     (`ControlPointMessage.abort`). A request with its op code is not written before the response, however late
    ///     that is, or over the next connection.
    /// - Returns: The response, whose result is success, with its data.
    /// - Throws: `.refused` with any other result; `.responseTimeout`; `.characteristic` with `.att` if the write is
    ///   refused, `.writeNotSupported`, `.notifyNotSupported`, `.valueTooLong`, `.notDiscovered`, `.disconnected`,
    ///   `.cancelled`, `.poweredOff`, `.invalidated`, `.backend` or `.unconfigured`.
    @discardableResult
    public func request(_ message: Message, timeout: Duration? = nil) async throws(Failure) -> Message {
        let response: Bytes
        do throws(CharacteristicError) {
            let manager = try characteristic.requireManager()
            response = try await manager.connections.controlPoints.request(
                ControlPointCall(message), of: characteristic, onDisconnect: onDisconnect, timeout: timeout, manager)
        } catch {
            throw Failure(error)
        }
        return try Self.accepted(response, from: uuid)
    }

    /// Writes a request to which the peripheral reports values of another characteristic before it responds.
    ///
    /// ```swift
    /// let records = try meter.controlPoint(GlucoseService.RecordAccessControlPoint.self)
    /// let measurements = try meter.characteristic(GlucoseService.Measurement.self)
    /// for try await measurement in try await records.procedure(.reportStoredRecords(.all), reporting: measurements) {
    ///     print(measurement)
    /// }
    /// ```
    ///
    /// Leaving the loop gives the procedure up, and makes the peripheral end it if the control point has a request for
    /// that (`ControlPointMessage.abort`).
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - values: The characteristic whose notifications are the values; they are on before the request is written.
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - timeout: The maximum time from the call to the response; nil for as long as values arrive, and 30 seconds
    ///     after the last value.
    /// - Returns: The values; the sequence ends with the response, or throws its result.
    /// - Throws: `.characteristic`, with the error of ``Characteristic/startNotifying(transport:timeout:)`` for the
    ///   values. The other errors of ``request(_:timeout:)`` end the sequence.
    public func procedure<Value: ByteCodable>(
        _ message: Message, reporting values: TypedCharacteristic<Value>, capacity: StreamCapacity = .newest(1024),
        timeout: Duration? = nil
    ) async throws(Failure) -> ControlPointProcedure<Message, Value> {
        do throws(CharacteristicError) {
            let manager = try characteristic.requireManager()
            let end = timeout.map { manager.clock.elapsed + $0 }
            let notifications = try await values.characteristic.notifications(capacity: capacity, timeout: timeout)
            let run = ProcedureRun(notifications.subscription)
            await manager.begin(
                message, run, of: characteristic, onDisconnect: onDisconnect,
                timeout: end.map { $0 - manager.clock.elapsed })
            return ControlPointProcedure(run: run, controlPoint: uuid, values: values.uuid)
        } catch {
            throw Failure(error)
        }
    }

    /// Returns a response whose result is success, and throws any other result.
    static func accepted(_ bytes: Bytes, from uuid: BluetoothUUID) throws(Failure) -> Message {
        let response: Message
        do { response = try SerDe.deserialize(bytes) } catch {
            throw .characteristic(.undecodable(error, bytes, from: uuid))
        }
        if let result = response.outcome?.result, result != Message.succeeded { throw .refused(result) }
        return response
    }
}

extension Peripheral {
    /// Returns the control point with messages of a type; the type names the UUID.
    ///
    /// - Parameters:
    ///   - type: The type that declares the control point.
    ///   - service: The only service to search; nil for all discovered services.
    ///   - onDisconnect: The policy that decides if a request that is not written yet ends with the connection, or
    ///     waits for the next one.
    /// - Throws: As ``characteristic(_:in:)-(BluetoothUUID,_)``.
    public func controlPoint<Message: ControlPointMessage>(
        _ type: Message.Type, in service: Service? = nil, onDisconnect: DisconnectPolicy = .end
    ) throws(CharacteristicError) -> TypedControlPoint<Message> {
        TypedControlPoint(try characteristic(Message.uuid, in: service), onDisconnect: onDisconnect)
    }
}

extension CentralManager {
    /// Begins a procedure. The end of the procedure ends its run.
    fileprivate func begin(
        _ message: some ControlPointMessage, _ run: ProcedureRun, of characteristic: Characteristic,
        onDisconnect: DisconnectPolicy, timeout: Duration?
    ) {
        let number = makeNumber()
        // Only its sequence retains the run, so the run ends with the sequence.
        run.onEnd { [weak self] in
            self?.later { $0.connections.controlPoints.leave(number, of: characteristic, .cancelled, $0) }
        }
        let call = ControlPointCall(message) { [weak run] in run?.reportCount ?? 0 }
        connections.controlPoints.begin(
            call, number, of: characteristic, onDisconnect: onDisconnect, timeout: timeout, self
        ) { [weak run] in
            run?.finish($0)
        }
    }
}
