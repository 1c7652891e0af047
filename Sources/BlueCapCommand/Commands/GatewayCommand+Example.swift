// SPDX-License-Identifier: MIT

extension GatewayCommand {
    /// An example for the help: a sensor with a key, windows that are published seldom, and no devices of neighbours.
    static let example = """
        {
          "broker": { "address": "mqtts://broker.lan", "username": "house" },
          "maximumInterval": 300,
          "rules": [
            { "match": { "address": "54:48:E6:8F:80:A5" }, "name": "Freezer",
              "key": "231d39c1d7cc1ab1aee224cd096db932",
              "changes": { "temperature": 0.2 } },
            { "match": { "name": "Window*" }, "minimumInterval": 10 },
            { "publish": false }
          ]
        }
        """
}
