// SPDX-License-Identifier: MIT

#if Gateway
extension DeviceLifeTests {
    /// A state is named by its description. An event elsewhere is of a gateway that does not own the device.
    static let table = LifeTable(
        """
        unknown:
            sighted | claim | unknown
            sighted elsewhere | claim | unknown
            heard | describe, online, state, claim | available
            heard elsewhere | claim | silent
            heard other | describe, online, state, claim | available
            heard other elsewhere | claim | silent
            heard other kind | describe, online, state, claim | available
            heard other kind elsewhere | claim | silent
            linked |  | unknown linked
            linked elsewhere |  | unknown linked
            gained |  | kept unheard
            gained elsewhere |  | kept unheard
            gained without room |  | unknown unheard
            gained without room elsewhere |  | unknown unheard
            gained without radio |  | kept unheard
            gained without radio elsewhere |  | kept unheard
            gained after expiry |  | kept unheard
            gained after expiry elsewhere |  | kept unheard
            found none | seek none | unknown
            found none elsewhere | seek none | unknown
            found offline | seek none | kept
            found offline elsewhere | seek none | kept
            found online | seek owner | kept unheard
            found online elsewhere | seek owner | kept
            found unreadable | seek owner | kept unheard
            found unreadable elsewhere | seek owner | kept
            found online as owner | seek owner | kept unheard
            found online as owner elsewhere | seek owner | kept unheard
            found offline for no rule | seek owner | kept
            found offline for no rule elsewhere | seek owner | kept
            found earlier offline |  | kept
            found earlier offline elsewhere |  | kept
            found earlier online | offline | kept
            found earlier online elsewhere | offline | kept
            found earlier without room | remove, release, report | unknown
            found earlier without room elsewhere | seek owner | kept
            found earlier for no rule | remove, release, report | unknown
            found earlier for no rule elsewhere | seek owner | kept
            found earlier present |  | kept unheard
            found earlier present elsewhere |  | kept unheard
            heard present | describe, online, state, claim | available
            heard present elsewhere | claim | silent
            heard absent | remove, describe, online, state, claim | available
            heard absent elsewhere | claim | silent
            ruled ending | remove, describe, online, state | available
            ruled ending elsewhere |  | silent
            - ruled absent, ruled absent elsewhere
            - present radio lost, present radio lost elsewhere
            - present tick after expiry, present tick after expiry elsewhere
            - keeping lost by broker, keeping lost by broker elsewhere
            - pressed, pressed elsewhere, pressed twice, pressed twice elsewhere, pressed by other
            - pressed by other elsewhere
            - sighted with frame, sighted with frame elsewhere, heard again, heard again elsewhere, unlinked
            - unlinked elsewhere, stayed linked, stayed linked elsewhere, radio lost, radio lost elsewhere
            - radio returned, radio returned elsewhere, tick, tick elsewhere, tick after longest
            - tick after longest elsewhere, tick after expiry, tick after expiry elsewhere, lost by broker
            - lost by broker elsewhere, lost by shared broker, lost by shared broker elsewhere, ruled the same
            - ruled the same elsewhere, ruled, ruled elsewhere, narrowed, narrowed elsewhere, emptied
            - emptied elsewhere, ruled hidden, ruled hidden elsewhere, unreadable, unreadable elsewhere
            - disconnectable, disconnectable elsewhere, hidden, hidden elsewhere, hidden for good
            - hidden for good elsewhere, hidden without room, hidden without room elsewhere, excluded
            - excluded elsewhere, displaced, displaced elsewhere, lost, lost elsewhere, connection began
            - connection began elsewhere, unheard soon, unheard soon elsewhere, unheard, unheard elsewhere
            - unheard without radio, unheard without radio elsewhere, unheard after expiry
            - unheard after expiry elsewhere
        kept:
            sighted | claim | kept
            sighted elsewhere | claim | kept
            heard | describe, online, state, claim | available
            heard elsewhere | claim | silent
            heard other | describe, online, state, claim | available
            heard other elsewhere | claim | silent
            heard other kind | describe, online, state, claim | available
            heard other kind elsewhere | claim | silent
            linked |  | kept linked
            linked elsewhere |  | kept linked
            excluded | remove, release, report | unknown
            excluded elsewhere | seek owner | kept
            gained |  | kept unheard
            gained elsewhere |  | kept unheard
            gained without room |  | kept unheard
            gained without room elsewhere |  | kept unheard
            gained without radio |  | kept unheard
            gained without radio elsewhere |  | kept unheard
            gained after expiry |  | kept unheard
            gained after expiry elsewhere |  | kept unheard
            found none | seek none | unknown
            found none elsewhere | seek none | unknown
            found offline | seek none | kept
            found offline elsewhere | seek none | kept
            found online | seek owner | kept unheard
            found online elsewhere | seek owner | kept
            found unreadable | seek owner | kept unheard
            found unreadable elsewhere | seek owner | kept
            found online as owner | seek owner | kept unheard
            found online as owner elsewhere | seek owner | kept unheard
            found offline for no rule | seek owner | kept
            found offline for no rule elsewhere | seek owner | kept
            found earlier online | offline | kept
            found earlier online elsewhere | offline | kept
            found earlier without room | remove, release, report | unknown
            found earlier without room elsewhere | seek owner | kept
            found earlier for no rule | remove, release, report | unknown
            found earlier for no rule elsewhere | seek owner | kept
            connection began |  | unknown
            connection began elsewhere |  | unknown
            found earlier present |  | kept unheard
            found earlier present elsewhere |  | kept unheard
            heard present | describe, online, state, claim | available
            heard present elsewhere | claim | silent
            heard absent | remove, describe, online, state, claim | available
            heard absent elsewhere | claim | silent
            ruled ending | remove, describe, online, state | available
            ruled ending elsewhere |  | silent
            - ruled absent, ruled absent elsewhere
            - present radio lost, present radio lost elsewhere
            - present tick after expiry, present tick after expiry elsewhere
            - keeping lost by broker, keeping lost by broker elsewhere
            - pressed, pressed elsewhere, pressed twice, pressed twice elsewhere, pressed by other
            - pressed by other elsewhere
            - sighted with frame, sighted with frame elsewhere, heard again, heard again elsewhere, unlinked
            - unlinked elsewhere, stayed linked, stayed linked elsewhere, radio lost, radio lost elsewhere
            - radio returned, radio returned elsewhere, tick, tick elsewhere, tick after longest
            - tick after longest elsewhere, tick after expiry, tick after expiry elsewhere, lost by broker
            - lost by broker elsewhere, lost by shared broker, lost by shared broker elsewhere, ruled the same
            - ruled the same elsewhere, ruled, ruled elsewhere, narrowed, narrowed elsewhere, emptied
            - emptied elsewhere, ruled hidden, ruled hidden elsewhere, unreadable, unreadable elsewhere
            - disconnectable, disconnectable elsewhere, hidden, hidden elsewhere, hidden for good
            - hidden for good elsewhere, hidden without room, hidden without room elsewhere, displaced
            - displaced elsewhere, lost, lost elsewhere, found earlier offline, found earlier offline elsewhere
            - unheard soon, unheard soon elsewhere, unheard, unheard elsewhere, unheard without radio
            - unheard without radio elsewhere, unheard after expiry, unheard after expiry elsewhere
        silent:
            sighted | claim | silent
            sighted elsewhere | claim | silent
            heard | online, state, claim | available
            heard elsewhere | claim | silent
            heard other | online, state, claim | available
            heard other elsewhere | claim | silent
            heard other kind | describe, online, state, claim | available
            heard other kind elsewhere | claim | silent
            heard again | online, claim | available
            heard again elsewhere | claim | silent
            linked | online, claim without strength | available linked
            linked elsewhere | claim without strength | silent linked
            lost by broker | describe, offline | silent
            ruled | describe, state | silent
            narrowed | remove, describe, offline, state | silent
            emptied | remove, release, report | unknown
            emptied elsewhere | release, report | kept
            ruled hidden | remove, release, report | unknown
            ruled hidden elsewhere | release, report | kept
            unreadable | remove, release, report | unknown
            unreadable elsewhere | release, report | kept
            hidden | remove, release, report | unknown
            hidden elsewhere | release, report | kept
            hidden for good | remove, release, report | unknown
            hidden for good elsewhere | release, report, seek owner | kept
            hidden without room | remove, release, report | unknown
            hidden without room elsewhere | release, report | unknown
            displaced | remove, release | unknown
            displaced elsewhere | release | kept
            gained | online, state | available
            gained elsewhere |  | silent unheard
            gained without room | online, state | available
            gained without room elsewhere |  | silent unheard
            gained without radio |  | silent unheard
            gained without radio elsewhere |  | silent unheard
            gained after expiry |  | silent unheard
            gained after expiry elsewhere |  | silent unheard
            found none | seek none, offline | silent
            found none elsewhere | seek none | silent
            found offline | seek none | silent
            found offline elsewhere | seek none | silent
            found online | seek owner, offline | silent unheard
            found online elsewhere | seek owner | silent
            found unreadable | seek owner, offline | silent unheard
            found unreadable elsewhere | seek owner | silent
            found online as owner | seek owner, offline | silent unheard
            found online as owner elsewhere | seek owner | silent unheard
            found offline for no rule | seek owner | silent
            found offline for no rule elsewhere | seek owner | silent
            keeping lost by broker | describe, offline, state | silent
            heard present | describe, online, state, claim | available
            heard present elsewhere | claim | silent
            heard absent | remove, describe, online, state, claim | available
            heard absent elsewhere | claim | silent
            ruled absent | remove, describe, offline, state | silent
            ruled absent elsewhere |  | silent
            ruled ending | remove, describe, online, state | available
            ruled ending elsewhere |  | silent
            - present radio lost, present radio lost elsewhere
            - present tick after expiry, present tick after expiry elsewhere
            - found earlier present, found earlier present elsewhere
            - keeping lost by broker elsewhere
            - pressed, pressed elsewhere, pressed twice, pressed twice elsewhere, pressed by other
            - pressed by other elsewhere
            - sighted with frame, sighted with frame elsewhere, unlinked, unlinked elsewhere, stayed linked
            - stayed linked elsewhere, radio lost, radio lost elsewhere, radio returned, radio returned elsewhere
            - tick, tick elsewhere, tick after longest, tick after longest elsewhere, tick after expiry
            - tick after expiry elsewhere, lost by broker elsewhere, lost by shared broker
            - lost by shared broker elsewhere, ruled the same, ruled the same elsewhere, ruled elsewhere
            - narrowed elsewhere, disconnectable, disconnectable elsewhere, excluded, excluded elsewhere, lost
            - lost elsewhere, found earlier offline, found earlier offline elsewhere, found earlier online
            - found earlier online elsewhere, found earlier without room, found earlier without room elsewhere
            - found earlier for no rule, found earlier for no rule elsewhere, connection began
            - connection began elsewhere, unheard soon, unheard soon elsewhere, unheard, unheard elsewhere
            - unheard without radio, unheard without radio elsewhere, unheard after expiry
            - unheard after expiry elsewhere
        available:
            sighted | claim | available
            sighted elsewhere | claim | available
            heard | claim | available
            heard elsewhere | claim | available
            heard other | state, claim | available
            heard other elsewhere | claim | available
            heard other kind | describe, state, claim | available
            heard other kind elsewhere | claim | available
            heard again | claim | available
            heard again elsewhere | claim | available
            linked | claim without strength | available linked
            linked elsewhere | claim without strength | available linked
            unlinked | offline | silent
            radio lost | offline | silent
            tick after longest | state | available
            tick after expiry | state, offline | silent
            lost by broker | describe, online, state | available
            lost by shared broker | describe, online, state | available
            ruled | describe, state | available
            narrowed | remove, describe, online, state | available
            narrowed elsewhere |  | available
            emptied | remove, release, report | unknown
            emptied elsewhere | release, report | kept
            ruled hidden | remove, release, report | unknown
            ruled hidden elsewhere | release, report | kept
            unreadable | remove, release, report | unknown
            unreadable elsewhere | release, report | kept
            hidden | remove, release, report | unknown
            hidden elsewhere | release, report | kept
            hidden for good | remove, release, report | unknown
            hidden for good elsewhere | release, report, seek owner | kept
            hidden without room | remove, release, report | unknown
            hidden without room elsewhere | release, report | unknown
            displaced | remove, release | unknown
            displaced elsewhere | release | kept
            lost |  | silent
            lost elsewhere |  | silent
            found none | seek none, online | available
            found none elsewhere | seek none | available
            found offline | seek none, online | available
            found offline elsewhere | seek none | available
            found online | seek owner | available
            found online elsewhere | seek owner | available
            found unreadable | seek owner, online | available
            found unreadable elsewhere | seek owner | available
            found online as owner | seek owner | available
            found online as owner elsewhere | seek owner | available
            found offline for no rule | seek owner, online | available
            found offline for no rule elsewhere | seek owner | available
            pressed | press | available
            pressed twice | press | available
            keeping lost by broker | describe, online, state | available
            heard present | describe, state, claim | available
            heard present elsewhere | claim | available
            heard absent | remove, describe, online, state, claim | available
            heard absent elsewhere | claim | available
            ruled absent | remove, describe, online, state | available
            ruled absent elsewhere |  | available
            ruled ending | remove, describe, online, state | available
            ruled ending elsewhere |  | available
            - present radio lost, present radio lost elsewhere
            - present tick after expiry, present tick after expiry elsewhere
            - found earlier present, found earlier present elsewhere
            - keeping lost by broker elsewhere
            - pressed elsewhere, pressed twice elsewhere, pressed by other, pressed by other elsewhere
            - sighted with frame, sighted with frame elsewhere, unlinked elsewhere, stayed linked
            - stayed linked elsewhere, radio lost elsewhere, radio returned, radio returned elsewhere, tick
            - tick elsewhere, tick after longest elsewhere, tick after expiry elsewhere, lost by broker elsewhere
            - lost by shared broker elsewhere, ruled the same, ruled the same elsewhere, ruled elsewhere
            - disconnectable, disconnectable elsewhere, excluded, excluded elsewhere, gained, gained elsewhere
            - gained without room, gained without room elsewhere, gained without radio
            - gained without radio elsewhere, gained after expiry, gained after expiry elsewhere
            - found earlier offline, found earlier offline elsewhere, found earlier online
            - found earlier online elsewhere, found earlier without room, found earlier without room elsewhere
            - found earlier for no rule, found earlier for no rule elsewhere, connection began
            - connection began elsewhere, unheard soon, unheard soon elsewhere, unheard, unheard elsewhere
            - unheard without radio, unheard without radio elsewhere, unheard after expiry
            - unheard after expiry elsewhere
        unknown linked: as unknown
            unlinked |  | unknown
            unlinked elsewhere |  | unknown
            stayed linked | claim without strength | unknown linked
            stayed linked elsewhere | claim without strength | unknown linked
        kept linked: as kept
            unlinked |  | kept
            unlinked elsewhere |  | kept
            stayed linked | claim without strength | kept linked
            stayed linked elsewhere | claim without strength | kept linked
        silent linked: as silent
            heard | describe, online, state, claim | available linked
            heard other | describe, online, state, claim | available linked
            unlinked |  | silent
            unlinked elsewhere |  | silent
            stayed linked | describe, online, state, claim without strength | available linked
            stayed linked elsewhere | claim without strength | silent linked
            gained | describe, online, state | available linked
            gained without room | describe, online, state | available linked
        available linked: as available
            unlinked | offline | silent
            unlinked elsewhere |  | available
            stayed linked | claim without strength | available linked
            stayed linked elsewhere | claim without strength | available linked
            - radio lost
        unknown unheard: as unknown
            lost |  | unknown
            lost elsewhere |  | unknown
            found earlier without room | remove, release, report | unknown
            found earlier for no rule | remove, release, report | unknown
            unheard | offline | unknown
            unheard without radio | offline | unknown
            unheard after expiry | offline | unknown
        kept unheard: as kept
            excluded | remove, release, report | unknown
            lost |  | kept
            lost elsewhere |  | kept
            found earlier without room | remove, release, report | unknown
            found earlier for no rule | remove, release, report | unknown
            unheard | offline | kept
            unheard without radio | offline | kept
            unheard after expiry | offline | kept
        silent unheard: as silent
            emptied | remove, release, report | unknown
            emptied elsewhere | release, report | kept
            ruled hidden | remove, release, report | unknown
            ruled hidden elsewhere | release, report | kept
            unreadable | remove, release, report | unknown
            unreadable elsewhere | release, report | kept
            hidden | remove, release, report | unknown
            hidden elsewhere | release, report | kept
            hidden for good | remove, release, report | unknown
            hidden for good elsewhere | release, report, seek owner | kept
            hidden without room | remove, release, report | unknown
            hidden without room elsewhere | release, report | unknown
            displaced | remove, release | unknown
            displaced elsewhere | release | kept
            lost |  | silent
            lost elsewhere |  | silent
            unheard | online, state | available
            unheard without radio | offline | silent
            unheard after expiry | offline | silent
        available unheard: as available
            emptied | remove, release, report | unknown
            emptied elsewhere | release, report | kept
            ruled hidden | remove, release, report | unknown
            ruled hidden elsewhere | release, report | kept
            unreadable | remove, release, report | unknown
            unreadable elsewhere | release, report | kept
            hidden | remove, release, report | unknown
            hidden elsewhere | release, report | kept
            hidden for good | remove, release, report | unknown
            hidden for good elsewhere | release, report, seek owner | kept
            hidden without room | remove, release, report | unknown
            hidden without room elsewhere | release, report | unknown
            displaced | remove, release | unknown
            displaced elsewhere | release | kept
            lost |  | silent
            lost elsewhere |  | silent
            unheard | state | available
            unheard without radio |  | available
            unheard after expiry |  | available
        unknown linked unheard: as unknown linked
            lost |  | unknown linked
            lost elsewhere |  | unknown linked
            found earlier without room | remove, release, report | unknown linked
            found earlier for no rule | remove, release, report | unknown linked
            unheard | offline | unknown linked
            unheard without radio | offline | unknown linked
            unheard after expiry | offline | unknown linked
        kept linked unheard: as kept linked
            excluded | remove, release, report | unknown linked
            lost |  | kept linked
            lost elsewhere |  | kept linked
            found earlier without room | remove, release, report | unknown linked
            found earlier for no rule | remove, release, report | unknown linked
            unheard | offline | kept linked
            unheard without radio | offline | kept linked
            unheard after expiry | offline | kept linked
        silent linked unheard: as silent linked
            emptied | remove, release, report | unknown linked
            emptied elsewhere | release, report | kept linked
            ruled hidden | remove, release, report | unknown linked
            ruled hidden elsewhere | release, report | kept linked
            unreadable | remove, release, report | unknown linked
            unreadable elsewhere | release, report | kept linked
            hidden | remove, release, report | unknown linked
            hidden elsewhere | release, report | kept linked
            hidden for good | remove, release, report | unknown linked
            hidden for good elsewhere | release, report, seek owner | kept linked
            hidden without room | remove, release, report | unknown linked
            hidden without room elsewhere | release, report | unknown linked
            displaced | remove, release | unknown linked
            displaced elsewhere | release | kept linked
            lost |  | silent linked
            lost elsewhere |  | silent linked
            unheard | describe, online, state | available linked
            unheard without radio | offline | silent linked
            unheard after expiry | offline | silent linked
        available linked unheard: as available linked
            emptied | remove, release, report | unknown linked
            emptied elsewhere | release, report | kept linked
            ruled hidden | remove, release, report | unknown linked
            ruled hidden elsewhere | release, report | kept linked
            unreadable | remove, release, report | unknown linked
            unreadable elsewhere | release, report | kept linked
            hidden | remove, release, report | unknown linked
            hidden elsewhere | release, report | kept linked
            hidden for good | remove, release, report | unknown linked
            hidden for good elsewhere | release, report, seek owner | kept linked
            hidden without room | remove, release, report | unknown linked
            hidden without room elsewhere | release, report | unknown linked
            displaced | remove, release | unknown linked
            displaced elsewhere | release | kept linked
            lost |  | silent linked
            lost elsewhere |  | silent linked
            unheard | state | available linked
            unheard without radio |  | available linked
            unheard after expiry |  | available linked
        """, words: ["linked", "unheard"])
}
#endif
