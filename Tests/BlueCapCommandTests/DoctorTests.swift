// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct DoctorTests {
    private static func machine(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
        var facts = MachineFacts(
            daemonPath: "/usr/libexec/bluetooth/bluetoothd", daemonVersion: "5.66", adapters: ["hci0"],
            switches: [.init(name: "hci0", isSoft: false, isHard: false)])
        change(&facts)
        return facts
    }

    /// A fault: the state of the machine and the radio, the check that finds it, the remedy, and the exit status.
    struct Fault: Sendable, CustomTestStringConvertible {
        var facts: MachineFacts
        var radio: RadioAnswer
        var check: String
        var remedy: String
        var status = ToolStatus.noRadio
        var testDescription: String { "\(check): \(remedy)" }

        init(
            _ check: String, _ remedy: String, _ radio: RadioAnswer, status: ToolStatus = .noRadio,
            _ change: (inout MachineFacts) -> Void = { _ in }
        ) {
            (facts, self.radio, self.check) = (DoctorTests.machine(change), radio, check)
            (self.remedy, self.status) = (remedy, status)
        }
    }

    private static let lost = RadioAnswer.failed("the bus is away", advice: nil)
    /// The message of dbus-daemon in a container of Docker's on a machine with AppArmor.
    private static let appArmorText = """
        An AppArmor policy prevents this sender from sending this message to this recipient; type="method_call", \
        sender=":1.77" (uid=0 pid=4711 comm="bluecap scan" label="docker-default (enforce)") \
        interface="org.freedesktop.DBus.ObjectManager" member="GetManagedObjects" error name="(unset)" \
        requested_reply="0" destination="org.bluez" (uid=0 pid=812 comm="/usr/libexec/bluetooth/bluetoothd" \
        label="unconfined")
        """
    private static let appArmor = RadioAnswer.forbidden(appArmorText)
    private static let snapText = appArmorText.replacing("docker-default", with: "snap.lamps.daemon")

    static let faults = [
        Fault("build", "--disable-default-traits", .failed("built without", advice: nil)) { $0.hasBlueZ = false },
        Fault("build", "'traits: []'", .failed("built without", advice: nil)) { $0.hasBlueZ = false },
        Fault("bus", "apt-get install -y dbus", lost) { $0.bus = .absent },
        Fault("bus", "docker run -v /run/dbus/system_bus_socket", lost) {
            ($0.bus, $0.container) = (.absent, "docker")
        },
        Fault("bus", "systemctl restart dbus", lost) { $0.bus = .refused },
        Fault("bus", "docker run -v", lost) { ($0.bus, $0.container) = (.refused, "podman") },
        Fault("bus", "chmod 666", lost, status: .notAuthorized) { $0.bus = .forbidden },
        Fault("bus", "systemctl restart dbus", lost) { $0.bus = .failed(errno: 5) },
        Fault("bluetoothd", "apt-get install -y bluez", .noDaemon) { ($0.daemonPath, $0.daemonVersion) = (nil, nil) },
        Fault("bluetoothd", "systemctl enable --now bluetooth", .noDaemon),
        Fault("bluetoothd", "systemctl enable --now bluetooth", .noDaemon) {
            ($0.container, $0.daemonPath) = ("docker", nil)
        },
        Fault("bluetoothd", "apt-get install -y bluez", .isOn) { $0.daemonVersion = "5.50" },
        Fault("bluetoothd", "Wait", .failed("it hangs", advice: "Wait")),
        Fault("permission", "usermod -aG bluetooth", .forbidden("AccessDenied"), status: .notAuthorized),
        Fault("permission", "docker run --userns=host", .forbidden("AccessDenied"), status: .notAuthorized) {
            ($0.hasUserNamespace, $0.container) = (true, "docker")
        },
        Fault("permission", "outside of the user namespace", .forbidden("AccessDenied"), status: .notAuthorized) {
            $0.hasUserNamespace = true
        },
        Fault("permission", "podman run --security-opt apparmor=unconfined", appArmor, status: .notAuthorized) {
            $0.container = "podman"
        },
        // A namespace of users is no reason where AppArmor is.
        Fault("permission", "docker run --security-opt apparmor=unconfined", appArmor, status: .notAuthorized) {
            ($0.container, $0.hasUserNamespace) = ("docker", true)
        },
        Fault("permission", "systemctl reload apparmor", appArmor, status: .notAuthorized),
        Fault("permission", "apparmor=unconfined", .isOn, status: .notAuthorized) {
            ($0.container, $0.connectRefusal) = ("docker", appArmorText)
        },
        Fault("permission", "usermod", .isOn, status: .notAuthorized) { $0.connectRefusal = "Rejected send message" },
        Fault(
            "permission", "snap connect lamps:bluez", .forbidden(snapText), status: .notAuthorized),
        Fault("permission", "snap connect lamps:bluez", .forbidden("AccessDenied"), status: .notAuthorized) {
            $0.sandbox = .snap("lamps")
        },
        Fault(
            "permission", "flatpak override --user --system-talk-name=org.bluez org.example.Lamps", .isOn,
            status: .notAuthorized
        ) {
            ($0.sandbox, $0.connectRefusal) = (.flatpak("org.example.Lamps"), "AccessDenied")
        },
        Fault("bus", "flatpak override --user --system-talk-name=org.bluez", lost) {
            ($0.sandbox, $0.bus) = (.flatpak("org.example.Lamps"), .absent)
        },
        // The proxy of a Flatpak hides a name that may not be talked to.
        Fault("bluetoothd", "flatpak override --user --system-talk-name=org.bluez", .noDaemon) {
            $0.sandbox = .flatpak("org.example.Lamps")
        },
        Fault(
            "permission", "--security-opt label=disable",
            .forbidden("An SELinux policy prevents this sender from sending this message to this recipient"),
            status: .notAuthorized
        ) { $0.container = "podman" },
        Fault("permission", "audit2allow", .forbidden("An SELinux policy prevents this"), status: .notAuthorized),
        Fault("bearer", "ControllerMode = le", .isOn) { $0.controllerMode = "bredr" },
        Fault("rfkill", "rfkill unblock bluetooth", .isOff) { $0.switches[0].isSoft = true },
        Fault("rfkill", "wireless switch", .isOff) { $0.switches[0].isHard = true },
        Fault("adapter", "modprobe btusb", .noAdapter("there is no Bluetooth adapter")) { $0.adapters = [] },
        Fault("adapter", "systemctl restart bluetooth", .noAdapter("there is no Bluetooth adapter")),
        Fault("power", "bluetoothctl power on", .isOff),
    ]

    @Test(arguments: faults)
    func `each fault is found by its check, with the line that mends it and its exit status`(_ fault: Fault) throws {
        let diagnosis = Diagnosis(fault.facts, fault.radio)
        let found = diagnosis.checks.filter { $0.status == .fault }
        #expect(found.map(\.check) == [fault.check])
        #expect(found.first?.remedy?.contains(fault.remedy) == true, "\(found)")
        #expect(!diagnosis.healthy && diagnosis.status == fault.status)
        let later = diagnosis.checks.drop { $0.check != fault.check }.dropFirst()
        #expect(later.allSatisfy { $0.status == .skipped || $0.check == "rfkill" }, "\(later)")
        let output = RecordedOutput()
        let error = #expect(throws: CommandFailure.self) {
            try DoctorSession(diagnosis: diagnosis, output: output).run()
        }
        #expect(error?.status == fault.status)
        #expect(output.lines.contains { $0.hasPrefix("FAULT    \(fault.check)") })
        #expect(
            output.lines.allSatisfy { TextLayout.width(of: $0) <= 80 || $0.contains("→") }, "\(output.lines)")
    }

    @Test func `a machine where all is well passes every check, with status 0`() throws {
        let diagnosis = Diagnosis(Self.machine { _ in }, .isOn)
        let output = RecordedOutput()
        try DoctorSession(diagnosis: diagnosis, output: output).run()
        #expect(diagnosis.healthy && diagnosis.status == .done)
        #expect(output.lines.count == 10)
        #expect(output.lines.allSatisfy { $0.hasPrefix("ok ") })
        #expect(output.lines.contains("ok       bluetoothd  it runs, version 5.66"))
        #expect(output.lines.contains("ok       permission  this user may use Bluetooth, and connect"))
    }

    @Test func `a refusal names the policy that refuses`() {
        let facts = Self.machine { $0.container = "docker" }
        let finding = Refusal(Self.appArmorText).explanation(of: "use Bluetooth", on: facts).finding
        #expect(
            finding.hasPrefix(
                "the AppArmor profile 'docker-default' does not let this container use Bluetooth (An AppArmor policy "
                    + "prevents this sender from sending this message to this recipient): "))
        let nameless = "An AppArmor policy prevents this sender"
        #expect(Refusal(nameless, confinement: "lamps (enforce)").policy == .appArmor(profile: "lamps"))
        #expect(Refusal(nameless, confinement: "unconfined").policy == .appArmor(profile: nil))
    }

    @Test func `the bearer's line names the devices that are paged, and the mode without BR/EDR`() throws {
        func bearer(_ change: (inout MachineFacts) -> Void) throws -> String {
            try #require(Diagnosis(Self.machine(change), .isOn).checks.first { $0.check == "bearer" }).finding
        }
        let paged = try bearer { $0.pagedDevices = ["Printer"] }
        #expect(paged.contains(": Printer. ") && paged.contains("ControllerMode = le"), "\(paged)")
        #expect(try bearer { $0.controllerMode = "le" } == "connections are made over LE alone (ControllerMode = le)")
        // In a container the file does not belong to the bluetoothd in use.
        #expect(try bearer { ($0.controllerMode, $0.container) = ("le", "docker") }.hasPrefix("no known device"))
    }

    @Test func `a blocked radio is found beside a fault before it`() {
        let facts = Self.machine { $0.switches[0].isSoft = true }
        let found = Diagnosis(facts, .noDaemon).checks.filter { $0.status == .fault }.map(\.check)
        #expect(found == ["bluetoothd", "rfkill"])
    }

    @Test func `in JSON it is one object`() throws {
        let output = RecordedOutput()
        #expect(throws: CommandFailure.self) {
            try DoctorSession(
                diagnosis: Diagnosis(Self.machine { _ in }, .isOff), isJSON: true, output: output
            ).run()
        }
        let line = try #require(output.lines.first)
        #expect(line.hasPrefix(#"{"checks":[{"check":"build","finding":"#))
        #expect(
            line.contains(
                #"{"check":"power","finding":"the radio is off","remedy":"bluetoothctl power on","status":"fault"}"#))
        #expect(line.hasSuffix(#""event":"doctor","healthy":false}"#))
    }

    @Test func `a broker that fails is a fault of its own, after those of the radio`() {
        let broker = Diagnosis.Check(check: "broker", status: .fault, finding: "it is not reached")
        let alone = Diagnosis(Self.machine { _ in }, .isOn, others: [broker])
        #expect(alone.status == .tryAgain && !alone.healthy && alone.checks.last == broker)
        #expect(Diagnosis(nil, .isOn, others: [broker]).status == .tryAgain)
        let both = Diagnosis(Self.machine { _ in }, .isOff, others: [broker])
        #expect(
            both.status == .noRadio && both.checks.filter { $0.status == .fault }.map(\.check) == ["power", "broker"])
        let well = Diagnosis.Check(check: "broker", status: .ok, finding: "it accepts the gateway")
        #expect(Diagnosis(Self.machine { _ in }, .isOn, others: [well]).healthy)
    }

    #if !Gateway
    @Test func `a program without a gateway tries no broker, and says how to build one`() async throws {
        let command = try DoctorCommand.parse(["--configuration", "gateway.json"])
        let failure = await #expect(throws: CommandFailure.self) { _ = try await command.others() }
        #expect(failure?.status == .failed && failure?.message.contains("--traits Gateway") == true)
    }
    #endif

    #if !ESPHome
    @Test func `a program without a proxy says how to build one`() async throws {
        let command = try DoctorCommand.parse(["--proxy", "key"])
        let failure = await #expect(throws: CommandFailure.self) { _ = try await command.others() }
        #expect(failure?.status == .failed && failure?.message.contains("ESPHome") == true)
    }
    #endif

    /// A state of what a proxy needs, the check that tells it, and a part of its finding or remedy.
    struct ProxyState: Sendable, CustomTestStringConvertible {
        var check: String
        var isFault: Bool
        var text: String
        var facts: ProxyFacts
        var testDescription: String { text }

        init(
            _ check: String, _ isFault: Bool, _ text: String, _ change: (inout ProxyFacts) -> Void = { _ in }
        ) {
            facts = ProxyFacts(file: "/etc/key")
            change(&facts)
            (self.check, self.isFault, self.text) = (check, isFault, text)
        }
    }

    static let proxyStates = [
        ProxyState("key", false, "for its owner alone"),
        ProxyState("key", false, "is made by the first start") { $0.key = .absent },
        ProxyState("key", true, "chmod 600 /etc/key") { $0.key = .shared },
        ProxyState("key", true, "no key") { $0.key = .fault("no key") },
        ProxyState("port", false, "port 6053 is free"),
        ProxyState("port", true, "sport = :7000") { ($0.port, $0.number) = (.taken, 7000) },
        ProxyState("port", true, "the system's") { ($0.port, $0.number) = (.reserved, 53) },
        ProxyState("port", true, "10.0.0.1 is no address") { ($0.port, $0.address) = (.noAddress, "10.0.0.1") },
        ProxyState("port", true, "errno 12") { $0.port = .failed(errno: 12) },
        ProxyState("avahi", false, "announces the proxy"),
        ProxyState("avahi", false, "apt-get install -y avahi-daemon") { $0.hasAvahi = false },
        ProxyState("avahi", false, "type it") { ($0.hasAvahi, $0.address) = (false, "127.0.0.1") },
    ]

    @Test(arguments: proxyStates)
    func `what a proxy needs is told, with the line that mends it`(_ state: ProxyState) throws {
        let diagnosis = Diagnosis(nil, .isOn, others: state.facts.checks)
        let check = try #require(diagnosis.checks.first { $0.check == state.check })
        let text = [check.finding, check.remedy ?? ""].joined(separator: " ")
        #expect(text.contains(state.text))
        #expect(diagnosis.checks.filter { $0.status == .fault }.map(\.check) == (state.isFault ? [state.check] : []))
        #expect(diagnosis.status == (state.isFault ? .tryAgain : .done))
    }

    @Test func `a virtual radio is always well`() throws {
        let output = RecordedOutput()
        try DoctorSession(diagnosis: Diagnosis(nil, .isOn), output: output).run()
        #expect(output.lines.count == 1)
    }

    @Test(
        arguments: [
            ("org.freedesktop.DBus.Error.NameHasNoOwner", RadioAnswer.noDaemon),
            ("org.bluez.Error.NoSuchAdapter", .noAdapter("m")),
            ("org.freedesktop.DBus.Error.AccessDenied", .forbidden("m")), ("other", .failed("m", advice: "a")),
        ] as [(String, RadioAnswer)])
    func `the library's failures are told apart by their names`(name: String, answer: RadioAnswer) {
        #expect(RadioAnswer.of(BackendFailure(name: name, message: "m", advice: "a")) == answer)
    }

    @Test(
        arguments: [
            (.powerOnTimeout, .poweredOff, .isOff), (.powerOnTimeout, .unauthorized, .forbidden("")),
            (.powerOnTimeout, .unknown, .failed("it runs, and has not answered for 5 seconds", advice: nil)),
        ] as [(CentralManagerError, ManagerState, RadioAnswer)])
    func `a wait that took too long is explained by the state`(
        error: CentralManagerError, state: ManagerState, answer: RadioAnswer
    ) {
        var found = RadioAnswer.of(error, state)
        if case .forbidden = found { found = .forbidden("") }
        #expect(found == answer)
    }

    @Test func `a radio that is on and one that never was are told by the library`() async throws {
        try await inTown { _, central in
            let answer = try await RadioAnswer.of(central)
            #expect(answer == .isOn)
        }
        let failure = BackendFailure(name: "org.bluez.Error.NoSuchAdapter", message: "none")
        let absent = CentralManager(
            backend: UnavailableCentralBackend(failure: failure), configuration: .tool(clock: .continuous))
        let answer = try await RadioAnswer.of(absent)
        #expect(answer == .noAdapter("none"))
    }

    @Test(
        arguments: [
            (nil, "/run/dbus/system_bus_socket"), ("", "/run/dbus/system_bus_socket"),
            ("unix:path=/a/b", "/a/b"), ("unix:guid=1,path=/c", "/c"), ("tcp:host=x;unix:path=/d", "/d"),
            ("unix:abstract=/e", nil),
        ] as [(String?, String?)])
    func `the bus is where its address says`(address: String?, path: String?) {
        #expect(MachineFacts.socketPath(of: address) == path)
    }

    @Test func `the facts are read from the machine's files`() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-doctor-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        func write(_ path: String, _ text: String) throws {
            let url = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let bare = MachineFacts.read(root: root.path, environment: { _ in nil })
        #expect(bare.bus == .absent && bare.daemonPath == nil && bare.adapters.isEmpty && bare.switches.isEmpty)
        #expect(bare.container == nil && !bare.hasUserNamespace)

        try write("run/dbus/system_bus_socket", "")
        try write("usr/lib/bluetooth/bluetoothd", "")
        try write("sys/class/bluetooth/hci1/type", "")
        try write("sys/class/bluetooth/hci1:64/type", "")
        try write("sys/class/rfkill/rfkill0/type", "wlan\n")
        try write("sys/class/rfkill/rfkill1/type", "bluetooth\n")
        try write("sys/class/rfkill/rfkill1/name", "hci1\n")
        try write("sys/class/rfkill/rfkill1/soft", "1\n")
        try write("sys/class/rfkill/rfkill1/hard", "0\n")
        try write("proc/self/uid_map", "         0       1000          1\n")
        try write(".dockerenv", "")
        try write("proc/self/attr/apparmor/current", "docker-default (enforce)\n")
        try write("etc/bluetooth/main.conf", "[General]\n#ControllerMode = dual\nControllerMode = le\n")
        let facts = MachineFacts.read(root: root.path, environment: { _ in nil })
        // A plain file is there, and nothing listens at it.
        #expect(facts.bus == .refused)
        #expect(facts.daemonPath == "/usr/lib/bluetooth/bluetoothd")
        #expect(facts.adapters == ["hci1"])
        #expect(facts.switches == [.init(name: "hci1", isSoft: true, isHard: false)])
        #expect(facts.container == "docker" && facts.hasUserNamespace)
        #expect(facts.confinement == "docker-default (enforce)" && facts.controllerMode == "le")
        #expect(facts.sandbox == nil)
        let snap = MachineFacts.read(root: root.path) { $0 == "SNAP_NAME" ? "lamps" : nil }
        #expect(snap.sandbox == .snap("lamps"))
        try write(".flatpak-info", "[Application]\nname=org.example.Lamps\nruntime=runtime/x\n")
        #expect(MachineFacts.read(root: root.path, environment: { _ in nil }).sandbox == .flatpak("org.example.Lamps"))

        let elsewhere = MachineFacts.read(root: root.path) { $0 == "DBUS_SYSTEM_BUS_ADDRESS" ? "unix:path=/no" : nil }
        #expect(elsewhere.bus == .absent && elsewhere.busPath == "/no")
    }

    #if os(Linux) && BlueZ
    @Test func `a bus that lets a program scan and not connect is found out, without a connection`() async throws {
        let policy = """
            <policy context="mandatory">
              <deny send_interface="org.bluez.Device1" send_member="Connect"/>
            </policy>
            """
        let machine = try await ScriptedMachine(configuration: policy)
        let scan = try await PipedRun(["scan", "--limit", "1"], environment: machine.environment)
        #expect(scan.status == 0, "\(scan)")
        let run = try await PipedRun(["doctor", "--json"], environment: machine.environment)
        await machine.stop()
        #expect(run.output.first?.contains("connect to devices, though it may scan") == true, "\(run)")
    }

    @Test func `a bus that lets a program connect is found to do so, without a connection`() async throws {
        let machine = try await ScriptedMachine()
        let run = try await PipedRun(["doctor", "--json"], environment: machine.environment)
        await machine.stop()
        #expect(run.output.first?.contains("this user may use Bluetooth, and connect") == true, "\(run)")
    }
    #endif
}
