// SPDX-License-Identifier: MIT

extension ConnectionMachineTests {
    /// The states that need several events at once: an earlier program's connection under a policy, or callers that
    /// come after an end was asked for.
    static let rareStates = """
        connecting restoring stood: connecting restoring stood
            joined | startCallerTime, stopAttemptTime | connecting restoring stood for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry restoring stood failed 1
            connected | stopAttemptTime, open again, takeUp | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring stood failed 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring stood failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more
        awaiting stood: awaiting stood for 1
            joined | startCallerTime, stopAttemptTime | awaiting stood for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry stood failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            heard |  | connecting stood for 1
            connected | stopAttemptTime, open, takeUp | connected for 1
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry stood failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry stood failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, failed, radio returned, stands, stands no more
        awaiting restoring stood: awaiting restoring stood
            joined | startCallerTime, stopAttemptTime | awaiting restoring stood for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            heard | stopAttemptTime, startAttemptTime 5.0 seconds | connecting restoring stood
            connected | stopAttemptTime, open again, takeUp | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring stood failed 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring stood failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, attempt timed out, retry due, failed, radio returned, stands,
                stands no more
        connecting attempted: connecting attempted for 1
            joined | startCallerTime, stopAttemptTime | connecting attempted for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry attempted failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            connected | stopAttemptTime, open, takeUp | connected for 1
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry attempted failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry attempted failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more
        connecting restoring attempted: connecting restoring attempted
            joined | startCallerTime, stopAttemptTime | connecting restoring attempted for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry restoring attempted failed 1
            connected | stopAttemptTime, open again, takeUp | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring attempted failed 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring attempted failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more
        awaiting attempted: awaiting attempted for 1
            joined | startCallerTime, stopAttemptTime | awaiting attempted for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry attempted failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            heard |  | connecting attempted for 1
            connected | stopAttemptTime, open, takeUp | connected for 1
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry attempted failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry attempted failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, failed, radio returned, stands, stands no more
        awaiting restoring attempted: awaiting restoring attempted
            joined | startCallerTime, stopAttemptTime | awaiting restoring attempted for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            heard | stopAttemptTime, startAttemptTime 5.0 seconds | connecting restoring attempted
            connected | stopAttemptTime, open again, takeUp | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring attempted failed 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring attempted failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, attempt timed out, retry due, failed, radio returned, stands,
                stands no more
        aborting forced: aborting forced
            joined | startCallerTime | aborting forced for 1
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders | idle
            disconnected | publish disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, failed,
                radio returned, stands, stands no more, absence over
        aborting to retry stood: aborting to retry stood failed 1 for 1
            joined | startCallerTime | aborting to retry stood failed 1 for 2
            caller timed out | countTimeout, send timedOut | aborting to retry stood failed 2 for 1
            caller cancelled | answerCaller | aborting
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry stood failed 1 for 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry stood failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more
        before a retry stood: before a retry stood failed 1 for 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood failed 1 for 2
            caller timed out | countTimeout, send timedOut, stopRetry, stopCallersTime, startRetry 3.0 seconds
                | before a retry stood failed 2 for 1
            caller cancelled | answerCaller, stopRetry | idle
            forced | stopRetry, answerCallers forcedDisconnect | idle unwanted
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood failed 1 for 1
            connected | stopRetry, stopAttemptTime, open, takeUp | connected for 1
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood failed 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle
            - attempt timed out, heard, connect failed, disconnected, failed, radio returned, stands, stands no more
        before the radio stood: before the radio stood
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | idle unwanted
            connected | stopAttemptTime, open, takeUp | connected
            radio lost | stopAttemptTime | idle stood
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring stood
            stands no more | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring stood
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned
        connecting restoring unwanted: connecting restoring unwanted
            joined | startCallerTime, stopAttemptTime | connecting restoring stood for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect,
                send gaveUp, endSubscriptions | aborting
            connected | stopAttemptTime, open again, answerCallers forcedDisconnect, stopAttemptTime,
                publish disconnecting, disconnect | disconnecting forced
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, send gaveUp, endSubscriptions, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, send gaveUp, endSubscriptions, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle unwanted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more
        aborting to retry restoring stood: aborting to retry restoring stood failed 1
            joined | startCallerTime | aborting to retry restoring stood failed 1 for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring stood failed 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring stood failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, failed,
                radio returned, stands, stands no more
        before a retry restoring stood: before a retry restoring stood failed 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting restoring stood failed 1 for 1
            forced | stopRetry, answerCallers forcedDisconnect, send forcedDisconnect | idle unwanted
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring stood failed 1
            connected | stopRetry, stopAttemptTime, open again, takeUp | connected
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio stood failed 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle
            - caller timed out, caller cancelled, attempt timed out, heard, connect failed, disconnected, failed,
                radio returned, stands, stands no more
        awaiting restoring unwanted: awaiting restoring unwanted
            joined | startCallerTime, stopAttemptTime | awaiting restoring stood for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            heard | stopAttemptTime, startAttemptTime 5.0 seconds | connecting restoring unwanted
            connected | stopAttemptTime, open again, answerCallers forcedDisconnect, stopAttemptTime,
                publish disconnecting, disconnect | disconnecting forced
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, send gaveUp, endSubscriptions, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, send gaveUp, endSubscriptions, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle unwanted
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - caller timed out, caller cancelled, attempt timed out, retry due, failed, radio returned, stands,
                stands no more
        awaiting unwanted: awaiting unwanted
            joined | startCallerTime, stopAttemptTime | awaiting stood for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            heard | stopAttemptTime, startAttemptTime 5.0 seconds | connecting unwanted
            connected | stopAttemptTime, open, answerCallers forcedDisconnect, stopAttemptTime,
                publish disconnecting, disconnect | disconnecting forced
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle unwanted
            - caller timed out, caller cancelled, attempt timed out, retry due, failed, radio returned, stands,
                stands no more, absence over
        aborting to retry attempted: aborting to retry attempted failed 1 for 1
            joined | startCallerTime | aborting to retry attempted failed 1 for 2
            caller timed out | countTimeout, send timedOut | aborting to retry attempted failed 2 for 1
            caller cancelled | answerCaller | aborting
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry attempted failed 1 for 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry attempted failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more
        before a retry attempted: before a retry attempted failed 1 for 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting attempted failed 1 for 2
            caller timed out | countTimeout, send timedOut, stopRetry, stopCallersTime, startRetry 3.0 seconds
                | before a retry attempted failed 2 for 1
            caller cancelled | answerCaller, stopRetry | idle
            forced | stopRetry, answerCallers forcedDisconnect | idle
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting attempted failed 1 for 1
            connected | stopRetry, stopAttemptTime, open, takeUp | connected for 1
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted failed 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle
            - attempt timed out, heard, connect failed, disconnected, failed, radio returned, stands, stands no more
        aborting to retry restoring attempted: aborting to retry restoring attempted failed 1
            joined | startCallerTime | aborting to retry restoring attempted failed 1 for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring attempted failed 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring attempted failed 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, failed,
                radio returned, stands, stands no more
        aborting forced to retry: aborting forced to retry failed 1 for 1
            joined | startCallerTime | aborting forced to retry failed 1 for 2
            caller timed out | countTimeout, send timedOut | aborting forced to retry failed 2 for 1
            caller cancelled | answerCaller | aborting forced
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 1 for 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting forced
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more
        disconnecting as lost to retry: disconnecting as lost to retry failed 1 for 1
            joined | startCallerTime | disconnecting as lost to retry failed 1 for 2
            caller timed out | countTimeout, send timedOut | disconnecting as lost to retry failed 2 for 1
            caller cancelled | answerCaller | disconnecting as lost
            forced | answerCallers forcedDisconnect | disconnecting as lost forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected timeout,
                answerEnders, publish connecting, countAttempt, startCallersTime, connect
                | connecting restoring failed 1 lost 1 for 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                countLoss, send disconnected timeout, answerEnders | before the radio failed 1
            - attempt timed out, retry due, heard, connected, connect failed, failed, radio returned, stands,
                stands no more, absence over
        disconnecting as lost forced to retry: disconnecting as lost forced to retry failed 1 for 1
            joined | startCallerTime | disconnecting as lost forced to retry failed 1 for 2
            caller timed out | countTimeout, send timedOut | disconnecting as lost forced to retry failed 2 for 1
            caller cancelled | answerCaller | disconnecting as lost forced
            forced | answerCallers forcedDisconnect | disconnecting as lost forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected timeout,
                answerEnders, publish connecting, countAttempt, startCallersTime, connect
                | connecting failed 1 lost 1 for 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                countLoss, send disconnected timeout, send forcedDisconnect, answerEnders | before the radio failed 1
            - attempt timed out, retry due, heard, connected, connect failed, failed, radio returned, stands,
                stands no more, absence over
        """
}
