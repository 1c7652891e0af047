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
/// calls, from whichever handle: the next one is written when the response to the last one has come.
/// ``TypedMutableCharacteristic/controlPointRequests(timeLimit:)`` is the counterpart in the peripheral role.
public struct TypedControlPoint<Message: ControlPointMessage>: Sendable {
    /// The error of a request: the result of the service, or what is wrong with the characteristic.
    public typealias Failure = ControlPointError<Message.Result>

    /// The characteristic itself, for its other listeners and its facts.
    public let characteristic: Characteristic
    /// Whether a request that is not written yet ends with the connection, or waits for the next one. One that is
    /// written ends in any case: the peripheral may have carried it out.
    public let onDisconnect: DisconnectPolicy

    /// Takes a characteristic for a control point with messages of the type, whatever its UUID.
    ///
    /// - Parameters:
    ///   - characteristic: A characteristic that can be written and that indicates.
    ///   - onDisconnect: Whether a request that is not written yet ends with the connection, or waits for the next one.
    public init(_ characteristic: Characteristic, onDisconnect: DisconnectPolicy = .end) {
        (self.characteristic, self.onDisconnect) = (characteristic, onDisconnect)
    }

    /// The UUID of the characteristic.
    public var uuid: BluetoothUUID { characteristic.uuid }

    /// Writes a request, and returns the response to it.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - timeout: How long it may take, from the call, the requests before it included; nil for as long as these take
    ///     and the 30 seconds that the specifications give a peripheral. A request that was written cannot be taken
    ///     back: its caller is freed, and the next request goes out after the response, at most 30 seconds later, or
    ///     after the one that ends the procedure, where the control point has one (`ControlPointMessage.abort`).
    /// - Returns: The response, whose result is success, with its data.
    /// - Throws: `.refused` with any other result; `.responseTimeout`; `.characteristic` with `.att` when the write is
    ///   refused, `.writeNotSupported`, `.notifyNotSupported`, `.valueTooLong`, `.notDiscovered`, `.disconnected`,
    ///   `.cancelled`, `.poweredOff`, `.invalidated`, `.backend` or `.unconfigured`.
    @discardableResult
    public func request(_ message: Message, timeout: Duration? = nil) async throws(Failure) -> Message {
        let response: Bytes
        do throws(CharacteristicError) {
            let manager = try characteristic.requireManager()
            response = try await manager.request(
                ControlPointCall(message), of: characteristic, onDisconnect: onDisconnect, timeout: timeout)
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
    /// Leaving the loop gives the procedure up, and has the peripheral end it where the control point has a request for
    /// that (`ControlPointMessage.abort`).
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - values: The characteristic whose notifications are the values; they are on before the request is written.
    ///   - capacity: How many values are kept for a slow loop; what is dropped is counted.
    ///   - timeout: How long it may take from the call to the response; nil for as long as values come, and 30 seconds
    ///     after the last one.
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

    /// A response whose result is success.
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
    /// The control point with messages of a type, which names its UUID.
    ///
    /// - Parameters:
    ///   - type: The type that declares the control point.
    ///   - service: The only service to look in; nil for all that were discovered.
    ///   - onDisconnect: Whether a request that is not written yet ends with the connection, or waits for the next one.
    /// - Throws: As ``characteristic(_:in:)-(BluetoothUUID,_)``.
    public func controlPoint<Message: ControlPointMessage>(
        _ type: Message.Type, in service: Service? = nil, onDisconnect: DisconnectPolicy = .end
    ) throws(CharacteristicError) -> TypedControlPoint<Message> {
        TypedControlPoint(try characteristic(Message.uuid, in: service), onDisconnect: onDisconnect)
    }
}

extension CentralManager {
    /// Begins a procedure, whose end ends its run.
    fileprivate func begin(
        _ message: some ControlPointMessage, _ run: ProcedureRun, of characteristic: Characteristic,
        onDisconnect: DisconnectPolicy, timeout: Duration?
    ) {
        let number = makeNumber()
        // The run is held by its sequence alone, with whose end it ends.
        run.onEnd { [weak self] in self?.later { $0.leave(number, of: characteristic, .cancelled) } }
        let call = ControlPointCall(message) { [weak run] in run?.reportCount ?? 0 }
        begin(call, number, of: characteristic, onDisconnect: onDisconnect, timeout: timeout) { [weak run] in
            run?.finish($0)
        }
    }
}
