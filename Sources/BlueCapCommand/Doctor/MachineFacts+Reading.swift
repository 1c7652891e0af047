// SPDX-License-Identifier: MIT

import BlueCapPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MachineFacts {
    /// Reads the facts of this machine.
    ///
    /// - Parameters:
    ///   - root: The folder that the file system begins at; another than `/` is for tests, and runs no program.
    ///   - environment: Gives the variables of the environment.
    static func read(
        root: String = "/", environment: (String) -> String? = { Environment.value($0) }
    ) -> MachineFacts {
        var facts = MachineFacts()
        #if !(os(Linux) && BlueZ)
        facts.hasBlueZ = false
        #endif
        facts.dbusLibrary = library("libdbus-1.so", root)
        if let path = socketPath(of: environment("DBUS_SYSTEM_BUS_ADDRESS")) {
            facts.busPath = path
            facts.bus = connect(to: root == "/" ? path : root + path)
        } else {
            facts.bus = .unknown
        }
        let folders = ["usr/libexec/bluetooth", "usr/lib/bluetooth", "usr/sbin", "usr/lib64/bluetooth"]
        facts.daemonPath = folders.map { "/\($0)/bluetoothd" }.first {
            FileManager.default.fileExists(atPath: join(root, $0))
        }
        if root == "/" { facts.daemonVersion = facts.daemonPath.flatMap(version) }
        facts.adapters = adapterNames(root: root)
        facts.switches = names(in: join(root, "sys/class/rfkill")).compactMap { name in
            let folder = join(root, "sys/class/rfkill/\(name)")
            guard text(folder + "/type") == "bluetooth" else { return nil }
            return RadioSwitch(
                name: text(folder + "/name") ?? name, isSoft: text(folder + "/soft") == "1",
                isHard: text(folder + "/hard") == "1")
        }
        facts.container = container(root, environment)
        // A process outside of any namespace sees all user numbers as they are: "0 0 4294967295".
        let map = text(join(root, "proc/self/uid_map"))?.split(separator: " ") ?? []
        facts.hasUserNamespace = !map.isEmpty && map != ["0", "0", "4294967295"]
        facts.sandbox = sandbox(root, environment)
        facts.confinement =
            text(join(root, "proc/self/attr/apparmor/current")) ?? text(join(root, "proc/self/attr/current"))
        facts.controllerMode = value(of: "ControllerMode", in: join(root, "etc/bluetooth/main.conf"))
        return facts
    }

    private static func sandbox(_ root: String, _ environment: (String) -> String?) -> Sandbox? {
        let file = join(root, ".flatpak-info")
        if FileManager.default.fileExists(atPath: file) { return .flatpak(value(of: "name", in: file) ?? "APP") }
        let snap = environment("SNAP_INSTANCE_NAME") ?? environment("SNAP_NAME")
        return snap.flatMap { $0.isEmpty ? nil : .snap($0) }
    }

    /// The rest of the first line of a file that begins with a key and "="; nil where no line does.
    private static func value(of key: String, in path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
            if parts.count == 2, parts[0] == key, !parts[1].isEmpty { return parts[1] }
        }
        return nil
    }

    /// The adapters that the kernel has, such as `hci0`.
    static func adapterNames(root: String = "/") -> [String] {
        names(in: join(root, "sys/class/bluetooth")).filter { $0.hasPrefix("hci") && !$0.contains(":") }
    }

    /// The socket of a bus address; nil where the address names none in the file system.
    static func socketPath(of address: String?) -> String? {
        guard let address, !address.isEmpty else { return "/run/dbus/system_bus_socket" }
        for part in address.split(separator: ";") where part.hasPrefix("unix:") {
            for pair in part.dropFirst(5).split(separator: ",") where pair.hasPrefix("path=") {
                return String(pair.dropFirst(5))
            }
        }
        return nil
    }

    private static func container(_ root: String, _ environment: (String) -> String?) -> String? {
        if FileManager.default.fileExists(atPath: join(root, ".dockerenv")) { return "docker" }
        if FileManager.default.fileExists(atPath: join(root, "run/.containerenv")) { return "podman" }
        return text(join(root, "run/systemd/container")) ?? environment("container").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Tries the socket and lets go of it again.
    private static func connect(to path: String) -> Bus {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { return .unknown }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let descriptor = systemStreamSocket()
        guard descriptor >= 0 else { return .failed(errno: errno) }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe systemConnect(descriptor, generic, size)
            }
        }
        if result == 0 { return .connected }
        return switch errno {
        case ENOENT, ENOTDIR: .absent
        case ECONNREFUSED: .refused
        case EACCES, EPERM: .forbidden
        case let other: .failed(errno: other)
        }
    }

    /// The version that `bluetoothd --version` prints: `"5.66"`.
    private static func version(of program: String) -> String? {
        guard let stream = unsafe popen("'\(program)' --version 2> /dev/null", "r") else { return nil }
        defer { unsafe pclose(stream) }
        var buffer = [CChar](repeating: 0, count: 64)
        guard unsafe fgets(&buffer, Int32(buffer.count), stream) != nil else { return nil }
        let line = buffer.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func join(_ root: String, _ path: String) -> String {
        (root.hasSuffix("/") ? root : root + "/") + (path.hasPrefix("/") ? String(path.dropFirst()) : path)
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The file name of a shared library that this process has loaded.
    private static func library(_ prefix: String, _ root: String) -> String? {
        // The file has no size of its own, which FileManager goes by.
        guard let data = try? ToolFile.read(join(root, "proc/self/maps"), maximum: 1 << 22) else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            guard let name = line.split(separator: "/").last, name.hasPrefix(prefix) else { continue }
            return String(name)
        }
        return nil
    }

    /// The first line of a file, without the spaces around it.
    private static func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first ?? ""
        let words = line.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
