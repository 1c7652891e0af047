// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TypedMutableCharacteristic where Value: ControlPointMessage {
    /// The requests of centrals to a control point, from now on, one at a time; each is answered by a response, which
    /// the central gets as an indication.
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
    /// The write of a request is answered with success before the request is here. It is refused, and no request comes
    /// of it:
    ///
    /// - with `.clientConfigurationImproper` (0xFD) while the central has not subscribed, or `.unlikelyError` (0x0E)
    ///   where the platform cannot send that, as BlueZ (``ATTError/isSendable(on:)``),
    /// - with `.procedureAlreadyInProgress` (0xFE) while a request is not answered, be it another central's,
    /// - with `.invalidAttributeValueLength` (0x0D) or `.valueNotAllowed` (0x13) where it is no message of the type.
    ///
    /// A response goes out behind the values that the app has sent before it by other characteristics of the service.
    ///
    /// A request that ends the procedure (`ControlPointMessage.abort`) closes the request that is under way, which
    /// gets no response, and is answered with success here.
    ///
    /// Each call returns a stream of its own; all get the same requests, each of which is answered once. A stream ends
    /// as that of ``MutableCharacteristic/writeRequests(capacity:)``, whose streams get none of these writes meanwhile.
    ///
    /// - Parameter timeLimit: How long the app may take for a response, the values that it reports before included;
    ///   then the request is answered with `ControlPointMessage.failed`. The limit of the last call holds. By default
    ///   25 seconds: a central gives up after 30.
    public func controlPointRequests(timeLimit: Duration = .seconds(25)) -> AsyncStream<ControlPointRequest<Value>> {
        characteristic.gate(Value.self).stream(timeLimit: timeLimit)
    }
}
