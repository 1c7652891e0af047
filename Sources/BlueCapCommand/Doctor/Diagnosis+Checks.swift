// SPDX-License-Identifier: MIT

/// The checks, in the order in which each needs the one before; nil where nothing is known.
extension Diagnosis {
    @Sendable static func build(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        if facts.hasBlueZ { return ok("build", "with the BlueZ backend") }
        return fault(
            "build", "this program was built without the BlueZ backend",
            "build it on Linux without --disable-default-traits, and in a package of yours without 'traits: []' in the "
                + "dependency: swift build --product bluecap")
    }

    @Sendable static func libdbus(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        // Without it the program would not have been loaded: the linker says so, and names the file.
        ok("libdbus", facts.dbusLibrary.map { "\($0) is loaded" } ?? "loaded")
    }

    @Sendable static func container(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        guard let container = facts.container else { return ok("container", "none") }
        let users = facts.hasUserNamespace ? ", with user numbers of its own" : ""
        return ok("container", "\(container)\(users): the bus and bluetoothd have to be the host's")
    }

    @Sendable static func bus(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        let path = facts.busPath
        let mount = "docker run -v \(path):\(path) …"
        if let sandbox = facts.sandbox, [.absent, .refused, .forbidden].contains(facts.bus) {
            return fault("bus", "\(sandbox) has no way to the system's message bus", sandbox.remedy)
        }
        switch facts.bus {
        case .connected: return ok("bus", "\(path) answers")
        case .unknown: return nil
        case .absent:
            if let container = facts.container {
                return fault("bus", "there is no \(path) in this container (\(container)): mount the host's", mount)
            }
            return fault(
                "bus", "there is no system message bus at \(path)",
                "sudo apt-get install -y dbus && sudo systemctl start dbus")
        case .refused:
            let remedy = facts.container == nil ? "sudo systemctl restart dbus" : mount
            return fault("bus", "nothing listens at \(path)", remedy)
        case .forbidden:
            return fault("bus", "this user may not open \(path)", "sudo chmod 666 \(path)")
        case .failed(let number):
            return fault("bus", "connecting to \(path) failed with errno \(number)", "sudo systemctl restart dbus")
        }
    }

    @Sendable static func daemon(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        let version = facts.daemonVersion.map { "version \($0)" }
        if radio == .noDaemon {
            if let sandbox = facts.sandbox {
                return fault("bluetoothd", "it is not running, or \(sandbox) hides it", sandbox.remedy)
            }
            if let container = facts.container {
                return fault(
                    "bluetoothd", "it is not running on the bus of this container (\(container)): start it on the host",
                    "sudo systemctl enable --now bluetooth")
            }
            if facts.daemonPath == nil {
                return fault("bluetoothd", "BlueZ is not installed", "sudo apt-get install -y bluez")
            }
            return fault(
                "bluetoothd", "it is installed (\(version ?? "version unknown")) and not running",
                "sudo systemctl enable --now bluetooth")
        }
        if case .failed(let message, let advice) = radio {
            return fault("bluetoothd", message, advice ?? "sudo systemctl restart bluetooth")
        }
        // Outside of a container the installed bluetoothd is the running one.
        if facts.container == nil, let installed = facts.daemonVersion, isTooOld(installed) {
            return fault(
                "bluetoothd", "version \(installed) is too old: 5.55 or later is needed",
                "sudo apt-get install -y bluez")
        }
        return ok("bluetoothd", "it runs" + (facts.container == nil ? version.map { ", \($0)" } ?? "" : ""))
    }

    @Sendable static func permission(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        let refused: (action: String, text: String)
        if case .forbidden(let text) = radio {
            refused = ("use Bluetooth", text)
        } else if let text = facts.connectRefusal {
            refused = ("connect to devices, though it may scan", text)
        } else {
            return ok("permission", "this user may use Bluetooth, and connect")
        }
        let refusal = Refusal(refused.text, confinement: facts.confinement)
        let (finding, remedy) = refusal.explanation(of: refused.action, on: facts)
        return fault("permission", finding, remedy)
    }

    @Sendable static func rfkill(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        if let hard = facts.switches.first(where: \.isHard) {
            return fault(
                "rfkill", "\(hard.name) is blocked by a switch or key of the machine",
                "turn the machine's wireless switch on, then: rfkill list bluetooth")
        }
        if let soft = facts.switches.first(where: \.isSoft) {
            return fault("rfkill", "\(soft.name) is blocked by software", "sudo rfkill unblock bluetooth")
        }
        return ok("rfkill", facts.switches.isEmpty ? "the kernel has no switch for Bluetooth" : "nothing is blocked")
    }

    @Sendable static func adapter(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        let names = facts.adapters.joined(separator: ", ")
        guard case .noAdapter(let message) = radio else {
            return ok("adapter", names.isEmpty ? "bluetoothd has one" : names)
        }
        if facts.adapters.isEmpty {
            return fault(
                "adapter", "\(message), and the kernel has none: plug one in, or load its driver",
                "sudo modprobe btusb && ls /sys/class/bluetooth")
        }
        return fault(
            "adapter", "\(message), though the kernel has \(names)",
            "sudo systemctl restart bluetooth && bluetoothctl list")
    }

    @Sendable static func power(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        radio == .isOn ? ok("power", "the radio is on") : fault("power", "the radio is off", "bluetoothctl power on")
    }

    /// BlueZ pages a device over BR/EDR first if the device has a public address and its flags do not say that it has
    /// no BR/EDR, as those of some printers and serial modules do not.
    @Sendable static func bearer(_ facts: MachineFacts, _ radio: RadioAnswer) -> Check? {
        // The file in a container is not that of the host's bluetoothd.
        let mode = facts.container == nil ? facts.controllerMode : nil
        if mode == "le" { return ok("bearer", "connections are made over LE alone (ControllerMode = le)") }
        if mode == "bredr" {
            return fault(
                "bearer", "bluetoothd is told to use BR/EDR alone (ControllerMode = bredr)",
                "sudo sed -i 's/^ControllerMode.*/ControllerMode = le/' /etc/bluetooth/main.conf && "
                    + "sudo systemctl restart bluetooth")
        }
        let names = facts.pagedDevices.prefix(8).joined(separator: ", ")
        if names.isEmpty { return ok("bearer", "no known device is paged over BR/EDR first") }
        return ok(
            "bearer",
            "paged over BR/EDR first, as their addresses are public and their flags do not exclude BR/EDR: \(names). Where "
                + "connecting fails with br-connection-…, write ControllerMode = le into /etc/bluetooth/main.conf, and "
                + "restart bluetoothd")
    }

    private static func ok(_ check: String, _ finding: String) -> Check {
        Check(check: check, status: .ok, finding: finding)
    }

    private static func fault(_ check: String, _ finding: String, _ remedy: String) -> Check {
        Check(check: check, status: .fault, finding: finding, remedy: remedy)
    }

    /// Whether a version such as `"5.50"` is before 5.55.
    private static func isTooOld(_ version: String) -> Bool {
        let numbers = version.split(separator: ".").map { Int($0) }
        guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return false }
        return (major, minor) < (5, 55)
    }
}
