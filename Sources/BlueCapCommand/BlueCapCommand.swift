import ArgumentParser

@main
struct BlueCapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluecap", abstract: "Scan, inspect and emulate Bluetooth LE devices.")
}
