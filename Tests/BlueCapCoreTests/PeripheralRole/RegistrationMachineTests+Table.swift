// SPDX-License-Identifier: MIT

extension RegistrationMachineTests {
    /// The states are named by their descriptions. A registration is wanted unless its state says otherwise.
    static let table = MachineTable(
        """
        absent: absent
            settles | add | adding
            changed | goal | absent changed
            placed | place | absent
            withdrawn | withdrawn | absent unwanted
            suspended | fail all, withdraw | absent
            ended | ended | absent
            - settles behind others, settles without a radio, accepted, refused, accepted late, refused late,
                forgotten
        absent unwanted: as absent
            settles | forget | absent unwanted
            settles behind others | forget | absent unwanted
            settles without a radio | forget | absent unwanted
            - withdrawn
        absent established: as absent
            placed | place, confirm | absent established
            suspended | fail all | absent established
        absent changed: as absent
            suspended | fail all, withdraw | absent
        absent unwanted established: as absent unwanted
            placed | place, confirm | absent unwanted established
            suspended | fail all | absent unwanted established
        absent unwanted confirmed: as absent unwanted
            placed | place, confirm | absent unwanted confirmed
        absent unwanted changed: as absent unwanted
            suspended | fail all, withdraw | absent unwanted
        absent established changed: as absent established
            suspended | fail all | absent established
        absent unwanted established changed: as absent unwanted established
            suspended | fail all | absent unwanted established
        absent unwanted confirmed changed: as absent unwanted confirmed
            suspended | fail all, withdraw | absent unwanted confirmed
        adding: adding
            accepted | startTime, publish, answer reached | present established
            refused | give up | absent
            changed | goal | adding overtaken
            placed | place | adding
            withdrawn | withdrawn | adding unwanted
            suspended | fail all, withdraw | unsure
            - settles, settles behind others, settles without a radio, accepted late, refused late, forgotten,
                ended
        adding unwanted: as adding
            settles | remove | removing unwanted
            settles behind others | remove | removing unwanted
            accepted | startTime, publish, answer reached | present unwanted confirmed
            - withdrawn
        adding established: as adding
            accepted | publish, answer reached | present established
            refused | give up and report | absent established
            placed | place, confirm | adding established
            suspended | fail all | unsure established
        adding changed: as adding
            accepted | startTime, publish, answer reached | present established
            suspended | fail all, withdraw | unsure
        adding overtaken: as adding
            accepted | startTime, publish, answer reached | present established changed
            refused | give up | absent changed
            suspended | fail all, withdraw | unsure
        adding unwanted established: as adding unwanted
            accepted | publish, answer reached | present unwanted established
            placed | place, confirm | adding unwanted established
            suspended | fail all | unsure unwanted established
        adding unwanted changed: as adding unwanted
            accepted | startTime, publish, answer reached | present unwanted confirmed
            suspended | fail all, withdraw | unsure unwanted
        adding unwanted overtaken: as adding overtaken
            settles | remove | removing unwanted changed
            settles behind others | remove | removing unwanted changed
            accepted | startTime, publish, answer reached | present unwanted confirmed changed
            - withdrawn
        adding established changed: as adding established
            accepted | startTime, publish, answer reached | present established
            suspended | fail all | unsure established
        adding established overtaken: as adding established
            accepted | publish, answer reached | present established changed
            refused | give up and report | absent established changed
            suspended | fail all | unsure established
        adding changed overtaken: as adding overtaken
            suspended | fail all, withdraw | unsure
        adding unwanted established changed: as adding unwanted established
            accepted | startTime, publish, answer reached | present unwanted established
            suspended | fail all | unsure unwanted established
        adding unwanted established overtaken: as adding unwanted overtaken
            accepted | publish, answer reached | present unwanted established changed
            placed | place, confirm | adding unwanted established overtaken
            suspended | fail all | unsure unwanted established
        adding unwanted changed overtaken: as adding unwanted overtaken
            suspended | fail all, withdraw | unsure unwanted
        adding established changed overtaken: as adding established overtaken
            accepted | startTime, publish, answer reached | present established changed
            suspended | fail all | unsure established
        adding unwanted established changed overtaken: as adding unwanted established overtaken
            accepted | startTime, publish, answer reached | present unwanted established changed
            suspended | fail all | unsure unwanted established
        present established: present established
            settles | answer standing | present established
            settles behind others | answer standing | present established
            changed | goal | present established changed
            placed | place, confirm | present established
            withdrawn | withdrawn | present unwanted established
            suspended | fail all | present established
            forgotten |  | absent established
            ended | ended | absent established
            - settles without a radio, accepted, refused, accepted late, refused late
        present unwanted established: as present established
            settles | remove | removing unwanted established
            settles behind others | remove | removing unwanted established
            - withdrawn
        present unwanted confirmed: present unwanted confirmed
            settles | remove | removing unwanted confirmed
            settles behind others | remove | removing unwanted confirmed
            changed | goal | present unwanted confirmed changed
            placed | place, confirm | present unwanted confirmed
            suspended | fail all, withdraw | present unwanted confirmed
            forgotten |  | absent unwanted confirmed
            ended | ended | absent unwanted confirmed
            - settles without a radio, accepted, refused, accepted late, refused late, withdrawn
        present established changed: as present established
            settles | update | updating established changed
            settles behind others | update | updating established changed
            suspended | fail all | present established
        present unwanted established changed: as present unwanted established
            suspended | fail all | present unwanted established
        present unwanted confirmed changed: as present unwanted confirmed
            suspended | fail all, withdraw | present unwanted confirmed
        updating established changed: updating established changed
            accepted | startTime, publish, answer reached | present established
            refused | fail updates | present established
            changed | goal | updating established changed overtaken
            placed | place, confirm | updating established changed
            withdrawn | withdrawn | updating unwanted established changed
            suspended | fail all | unsure established
            forgotten |  | absent established changed
            ended | ended | absent established changed
            - settles, settles behind others, settles without a radio, accepted late, refused late
        updating unwanted established changed: as updating established changed
            settles | remove | removing unwanted established changed
            settles behind others | remove | removing unwanted established changed
            - withdrawn
        updating established changed overtaken: as updating established changed
            accepted | startTime, publish, answer reached | present established changed
            refused | fail updates | present established
            suspended | fail all | unsure established
            forgotten |  | absent established changed
            ended | ended | absent established changed
        updating unwanted established changed overtaken: as updating established changed overtaken
            settles | remove | removing unwanted established changed
            settles behind others | remove | removing unwanted established changed
            - withdrawn
        removing: removing
            accepted | publish | absent
            refused | publish | absent
            refused late |  | removing refused
            changed | goal | removing changed
            placed | place | removing
            withdrawn | withdrawn | removing unwanted
            suspended | fail all, withdraw | unsure
            forgotten |  | absent
            ended | ended | absent
            - settles, settles behind others, settles without a radio, accepted late
        removing unwanted: as removing
            accepted | publish, answer absence | absent unwanted
            refused | publish, fail absence | absent unwanted
            - withdrawn
        removing established: as removing
            placed | place, confirm | removing established
            suspended | fail all | unsure established
        removing changed: as removing
            suspended | fail all, withdraw | unsure
        removing refused: as removing
            accepted | publish | absent
            refused | publish | absent
            forgotten |  | absent
            ended | ended | absent
        removing unwanted established: as removing unwanted
            placed | place, confirm | removing unwanted established
            suspended | fail all | unsure unwanted established
        removing unwanted confirmed: as removing unwanted
            placed | place, confirm | removing unwanted confirmed
        removing unwanted changed: as removing unwanted
            suspended | fail all, withdraw | unsure unwanted
        removing unwanted refused: as removing refused
            accepted | publish, answer absence | absent unwanted
            refused | publish, answer absence | absent unwanted
            - withdrawn
        removing established changed: as removing established
            suspended | fail all | unsure established
        removing established refused: as removing refused
            placed | place, confirm | removing established refused
            suspended | fail all | unsure established refused
        removing changed refused: as removing refused
            suspended | fail all, withdraw | unsure refused
        removing unwanted established changed: as removing unwanted established
            suspended | fail all | unsure unwanted established
        removing unwanted established refused: as removing unwanted refused
            placed | place, confirm | removing unwanted established refused
            suspended | fail all | unsure unwanted established refused
        removing unwanted confirmed changed: as removing unwanted confirmed
            suspended | fail all, withdraw | unsure unwanted confirmed
        removing unwanted confirmed refused: as removing unwanted refused
            placed | place, confirm | removing unwanted confirmed refused
        removing unwanted changed refused: as removing unwanted refused
            suspended | fail all, withdraw | unsure unwanted refused
        removing established changed refused: as removing established refused
            suspended | fail all | unsure established refused
        removing unwanted established changed refused: as removing unwanted established refused
            suspended | fail all | unsure unwanted established refused
        removing unwanted confirmed changed refused: as removing unwanted confirmed refused
            suspended | fail all, withdraw | unsure unwanted confirmed refused
        unsure: unsure
            settles | remove | removing
            settles behind others | remove | removing
            refused |  | unsure refused
            refused late |  | unsure refused
            changed | goal | unsure changed
            placed | place | unsure
            withdrawn | withdrawn | unsure unwanted
            suspended | fail all, withdraw | unsure
            forgotten |  | absent
            ended | ended | absent
            - settles without a radio, accepted, accepted late
        unsure unwanted: as unsure
            - withdrawn
        unsure established: as unsure
            placed | place, confirm | unsure established
            suspended | fail all | unsure established
        unsure changed: as unsure
            suspended | fail all, withdraw | unsure
        unsure refused: as unsure
            forgotten |  | absent
            ended | ended | absent
        unsure unwanted established: as unsure established
            - withdrawn
        unsure unwanted confirmed: as unsure unwanted
            placed | place, confirm | unsure unwanted confirmed
        unsure unwanted changed: as unsure unwanted
            suspended | fail all, withdraw | unsure unwanted
        unsure unwanted refused: as unsure refused
            - withdrawn
        unsure established changed: as unsure established
            suspended | fail all | unsure established
        unsure established refused: as unsure established
            forgotten |  | absent established
            ended | ended | absent established
        unsure changed refused: as unsure refused
            suspended | fail all, withdraw | unsure refused
        unsure unwanted established changed: as unsure unwanted established
            suspended | fail all | unsure unwanted established
        unsure unwanted established refused: as unsure established refused
            - withdrawn
        unsure unwanted confirmed changed: as unsure unwanted confirmed
            suspended | fail all, withdraw | unsure unwanted confirmed
        unsure unwanted confirmed refused: as unsure unwanted refused
            placed | place, confirm | unsure unwanted confirmed refused
        unsure unwanted changed refused: as unsure unwanted refused
            suspended | fail all, withdraw | unsure unwanted refused
        unsure established changed refused: as unsure established refused
            suspended | fail all | unsure established refused
        unsure unwanted established changed refused: as unsure unwanted established refused
            suspended | fail all | unsure unwanted established refused
        unsure unwanted confirmed changed refused: as unsure unwanted confirmed refused
            suspended | fail all, withdraw | unsure unwanted confirmed refused
        """,
        words: [
            "absent", "adding", "present", "updating", "removing", "unsure", "unwanted", "established", "confirmed",
            "changed", "overtaken", "refused",
        ])
}
