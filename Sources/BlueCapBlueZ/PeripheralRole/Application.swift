// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// One application of `GattManager1`: an object manager and the services below it.
struct Application {
    /// The path of its object manager.
    let root: String
    /// Its services, each behind those that it includes.
    var services: [LocalService]

    func path(_ service: LocalService) -> String { "\(root)/service\(service.id.rawValue)" }

    func path(_ characteristic: LocalCharacteristic, in service: LocalService) -> String {
        "\(path(service))/char\(characteristic.id.rawValue)"
    }

    /// The paths of all objects.
    var paths: [String] { services.flatMap(paths) }

    /// The paths of a service's objects, descriptors first and the service last.
    func paths(_ service: LocalService) -> [String] {
        service.characteristics.flatMap { characteristic in
            let path = path(characteristic, in: service)
            return characteristic.descriptors.map { "\(path)/desc\($0.id.rawValue)" } + [path]
        } + [path(service)]
    }
}
#endif
