// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TypedMutableCharacteristic where Value: ControlPointMessage {
    /// Returns the requests of centrals to a control point from now on, one at a time.
    ///
    /// The app answers each request with a response, which the central receives as an indication.
    ///
    /// ```swift
    /// let point = TypedMutableCharacteristic<FitnessMachineService.ControlPoint>()
    /// for await request in point.controlPointRequests() {
    ///     switch request.message.opCode {
    ///     case .requestControl, .startOrResume, .stopOrPause: request.respond()
    ///     default: request.respond(.opCodeNotSupported)
    ///     }
    /// }
    /// ```
    ///
    /// The write of a request is answered with success before the stream returns the request. The write is refused,
    /// without a request:
    ///
    /// - with `.clientConfigurationImproper` (0xFD) while the central has not subscribed, or with `.unlikelyError`
    ///   (0x0E) if the platform cannot send that error, such as BlueZ (``ATTError/isSendable(on:)``),
    /// - with `.procedureAlreadyInProgress` (0xFE) while a request is not answered, even a request of another central,
    ///   or its response waits,
    /// - with `.invalidAttributeValueLength` (0x0D) or `.valueNotAllowed` (0x13) if the bytes are not a message of the
    ///   type.
    ///
    /// A response is sent after the values that the app has sent before it by other characteristics of the service.
    ///
    /// A request that ends the procedure (`ControlPointMessage.abort`) closes the current request of the same central,
    /// which gets no response. The library answers it with success. While the procedure of another central is under way
    /// it is refused as every other write.
    ///
    /// Each call returns a separate stream; all streams receive the same requests, each of which is answered once. A
    /// stream ends in the same way as a stream of ``MutableCharacteristic/writeRequests(capacity:)``, which receives
    /// none of these writes meanwhile.
    ///
    /// - Parameter timeLimit: The maximum time for a response of the app, including the values that it reports before;
    ///   then the request is answered with `ControlPointMessage.failed`. The limit of the last call is used. The
    ///   default is 25 seconds, because a central gives up after 30.
    public func controlPointRequests(timeLimit: Duration = .seconds(25)) -> AsyncStream<ControlPointRequest<Value>> {
        characteristic.gate(Value.self).stream(timeLimit: timeLimit)
    }
}
