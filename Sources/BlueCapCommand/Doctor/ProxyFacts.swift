// SPDX-License-Identifier: MIT

/// The facts of a machine on which a proxy depends, beside its radio.
struct ProxyFacts: Sendable, Hashable {
    enum Key: Sendable, Hashable {
        /// The file has a key, which this user alone may read.
        case good
        /// There is no file, and this user may make it.
        case absent
        /// Others may read the file.
        case shared
        /// The reason why there is no key.
        case fault(String)
    }

    enum Port: Sendable, Hashable {
        case free
        case taken
        /// It is the system's.
        case reserved
        /// The machine does not have the address of the proxy.
        case noAddress
        case failed(errno: Int32)
    }

    /// The path of the key.
    var file: String
    var key = Key.good
    /// Nil for all addresses of the machine.
    var address: String?
    var number: UInt16 = 6053
    var port = Port.free
    /// Whether Avahi runs, which announces the proxy.
    var hasAvahi = true

    var checks: [Diagnosis.Check] { [keyCheck, portCheck, announcementCheck] }

    private var keyCheck: Diagnosis.Check {
        switch key {
        case .good: Self.ok("key", "\(file) has a key, and is for its owner alone")
        case .absent: Self.ok("key", "\(file) is made by the first start")
        case .shared: Self.fault("key", "others may read \(file)", "chmod 600 \(file)")
        case .fault(let reason): Self.fault("key", reason)
        }
    }

    private var portCheck: Diagnosis.Check {
        let place = "\(address.map { "\($0), " } ?? "")port \(number)"
        return switch port {
        case .free: Self.ok("port", "\(place) is free")
        case .taken:
            Self.fault(
                "port", "\(place) is taken: by a proxy that runs already, or by another program",
                "sudo ss -tlnp 'sport = :\(number)'")
        case .reserved: Self.fault("port", "\(place) is the system's, as all below 1024: choose another one")
        case .noAddress: Self.fault("port", "\(address ?? "") is no address of this machine")
        case .failed(let number): Self.fault("port", "\(place) is not to be had: errno \(number)")
        }
    }

    /// A proxy works without, so that it is no fault.
    private var announcementCheck: Diagnosis.Check {
        if address != nil { return Self.ok("avahi", "a proxy with an address is not announced: type it") }
        return Self.ok(
            "avahi",
            hasAvahi
                ? "it runs, and announces the proxy"
                : "it does not run, so that Home Assistant does not find the proxy: type the address of this machine "
                    + "there, or sudo apt-get install -y avahi-daemon")
    }

    private static func ok(_ check: String, _ finding: String) -> Diagnosis.Check {
        Diagnosis.Check(check: check, status: .ok, finding: finding)
    }

    private static func fault(_ check: String, _ finding: String, _ remedy: String? = nil) -> Diagnosis.Check {
        Diagnosis.Check(check: check, status: .fault, finding: finding, remedy: remedy)
    }
}
