// SPDX-License-Identifier: MIT

#if Gateway
import Testing

@testable import BlueCapGateway

@Suite("The plan of a gateway", .timeLimit(.minutes(60)))
struct GatewayPlanTests {
    @Test(arguments: [
        ("bluecap/cellar/a4c138000001/state", "{}", true),
        ("bluecap/attic/a4c138000001/state", "{}", false),
        ("old/cellar/a4c138000001/availability", "online", false),
        ("old/cellar/a4c138000001/availability", "", true),
        ("homeassistant/device/bluecap_a4c138000001/config", #"{"state_topic":"bluecap/cellar/x/state"}"#, true),
        ("homeassistant/device/bluecap_a4c138000001/config", #"{"state_topic":"old/cellar/x/state"}"#, false),
        ("homeassistant/device/bluecap_a4c138000001/config", "", true),
        ("old/device/bluecap_a4c138000001/config", #"{"state_topic":"bluecap/cellar/x/state"}"#, false),
    ])
    func `takes messages over that are of its topics, or remove those of any`(
        topic: String, text: String, isTaken: Bool
    ) {
        var plan = GatewayPlan(name: "cellar")
        let message = BrokerMessage(topic: topic, text: text, isRetained: true)
        #expect(plan.takesOver(message) == isTaken)
        plan.group = "home"
        #expect(!plan.takesOver(message))
    }

    @Test func `counts the messages that it does not take over`() {
        var queue = BrokerQueue(capacity: 16, endsWithConnection: false)
        let plan = GatewayPlan(name: "cellar")
        let waiting = ["bluecap", "old"].map {
            WaitingMessage(message: BrokerMessage(topic: "\($0)/cellar/a4c138000001/state", text: "{}"), date: 0)
        }
        queue.restore(waiting, at: 0, where: plan.takesOver)
        #expect(queue.take()?.topic == "bluecap/cellar/a4c138000001/state")
        #expect(queue.take() == nil && queue.expiredCount == 1)
    }
}
#endif
