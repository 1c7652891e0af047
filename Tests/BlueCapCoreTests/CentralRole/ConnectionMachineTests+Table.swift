// SPDX-License-Identifier: MIT

extension ConnectionMachineTests {
    static let table = MachineTable(
        """
        new: idle
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect | connecting for 1
            forced | answerCallers forcedDisconnect | idle
            radio lost | stopAttemptTime | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                disconnected, failed, radio returned, stands, stands no more, absence over
        connecting: connecting for 1
            joined | startCallerTime, stopAttemptTime | connecting for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect,
                answerCaller | aborting
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            connected | stopAttemptTime, open, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more, absence over
        connecting for two: connecting for 2
            joined | startCallerTime, stopAttemptTime | connecting for 3
            caller timed out | answerCaller | connecting for 1
            caller cancelled | answerCaller | connecting for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            connected | stopAttemptTime, open, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more, absence over
        aborting: aborting
            joined | startCallerTime | aborting for 1
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders | idle
            disconnected | publish disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, failed,
                radio returned, stands, stands no more, absence over
        aborting, wanted again: aborting for 1
            joined | startCallerTime | aborting for 2
            caller timed out | countTimeout, send timedOut, answerCaller | aborting
            caller cancelled | answerCaller | aborting
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, publish connecting, countAttempt, startCallersTime,
                connect | connecting for 1
            disconnected | publish disconnected, answerEnders, publish connecting, countAttempt, startCallersTime,
                connect | connecting for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more,
                absence over
        connected: connected
            joined | startCallerTime | connected for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | disconnecting forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected disconnected,
                answerEnders | idle lost 1
            failed | stopAttemptTime, publish disconnecting, disconnect | disconnecting as lost
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected poweredOff, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                radio returned, stands, stands no more, absence over
        disconnecting: disconnecting forced
            joined | startCallerTime | disconnecting forced for 1
            forced | answerCallers forcedDisconnect | disconnecting forced
            disconnected | close disconnected, publish disconnected, send forcedDisconnect, answerEnders | idle
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                send forcedDisconnect, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                failed, radio returned, stands, stands no more, absence over
        disconnecting, wanted again: disconnecting forced for 1
            joined | startCallerTime | disconnecting forced for 2
            caller timed out | countTimeout, send timedOut, answerCaller | disconnecting forced
            caller cancelled | answerCaller | disconnecting forced
            forced | answerCallers forcedDisconnect | disconnecting forced
            disconnected | close disconnected, publish disconnected, send forcedDisconnect, answerEnders,
                publish connecting, countAttempt, startCallersTime, connect | connecting for 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                send forcedDisconnect, answerEnders | idle
            - attempt timed out, retry due, heard, connected, connect failed, failed, radio returned, stands,
                stands no more, absence over
        disconnecting as lost: disconnecting as lost
            joined | startCallerTime | disconnecting as lost for 1
            forced | answerCallers forcedDisconnect | disconnecting as lost forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected timeout, answerEnders
                | idle lost 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected timeout, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                failed, radio returned, stands, stands no more, absence over
        trying: connecting for 1
            joined | startCallerTime, stopAttemptTime | connecting for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            connected | stopAttemptTime, open, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more
        awaiting: awaiting for 1
            joined | startCallerTime, stopAttemptTime | awaiting for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            heard | | connecting for 1
            connected | stopAttemptTime, open, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, failed, radio returned, stands, stands no more
        timed out: aborting to retry failed 1 for 1
            joined | startCallerTime | aborting to retry failed 1 for 2
            caller timed out | countTimeout, send timedOut | aborting to retry failed 2 for 1
            caller cancelled | answerCaller | aborting
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 1 for 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more
        timed out twice: aborting to retry failed 2 for 1
            joined | startCallerTime | aborting to retry failed 2 for 2
            caller timed out | countTimeout, send timedOut, send gaveUp, endSubscriptions, answerCaller | aborting
            caller cancelled | answerCaller | aborting
            forced | answerCallers forcedDisconnect | aborting forced
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 2 for 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 2 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 2
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting
            - attempt timed out, retry due, heard, connected, failed, radio returned, stands, stands no more
        before a retry: before a retry failed 1 for 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting failed 1 for 2
            caller timed out | countTimeout, send timedOut, stopRetry, stopCallersTime, startRetry 3.0 seconds
                | before a retry failed 2 for 1
            caller cancelled | answerCaller, stopRetry | idle
            forced | stopRetry, answerCallers forcedDisconnect | idle
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting failed 1 for 1
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle
            - attempt timed out, heard, connected, connect failed, disconnected, failed, radio returned, stands,
                stands no more
        failed twice: connecting failed 2 for 1
            joined | startCallerTime, stopAttemptTime | connecting failed 2 for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect,
                send gaveUp, endSubscriptions, answerCaller | aborting
            caller cancelled | answerCaller, stopAttemptTime, publish disconnecting, disconnect | aborting
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            connected | stopAttemptTime, open, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, send gaveUp, endSubscriptions, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, send gaveUp, endSubscriptions, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 2
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more
        held: connected
            joined | startCallerTime | connected for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | disconnecting forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected disconnected,
                answerEnders, stopCallersTime, startRetry 3.0 seconds | before a retry restoring lost 1
            failed | stopAttemptTime, publish disconnecting, disconnect | disconnecting as lost
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected poweredOff, answerEnders | before the radio
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                radio returned, stands, stands no more, absence over
        held, disconnecting: disconnecting forced
            joined | startCallerTime | disconnecting forced for 1
            forced | answerCallers forcedDisconnect | disconnecting forced
            disconnected | close disconnected, publish disconnected, send forcedDisconnect, answerEnders | idle
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                send forcedDisconnect, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                failed, radio returned, stands, stands no more, absence over
        held, disconnecting as lost: disconnecting as lost
            joined | startCallerTime | disconnecting as lost for 1
            forced | answerCallers forcedDisconnect | disconnecting as lost forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected timeout,
                answerEnders, stopCallersTime, startRetry 3.0 seconds | before a retry restoring lost 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected timeout, answerEnders | before the radio
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                failed, radio returned, stands, stands no more, absence over
        held, disconnecting, lost and forced: disconnecting as lost forced
            joined | startCallerTime | disconnecting as lost forced for 1
            forced | answerCallers forcedDisconnect | disconnecting as lost forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected timeout, answerEnders,
                send forcedDisconnect | idle lost 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected timeout, send forcedDisconnect, answerEnders | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                failed, radio returned, stands, stands no more, absence over
        held, disconnecting, timed out: disconnecting forced to retry failed 1 for 1
            joined | startCallerTime | disconnecting forced to retry failed 1 for 2
            caller timed out | countTimeout, send timedOut | disconnecting forced to retry failed 2 for 1
            caller cancelled | answerCaller | disconnecting forced
            forced | answerCallers forcedDisconnect | disconnecting forced
            disconnected | close disconnected, publish disconnected, send forcedDisconnect, answerEnders,
                stopCallersTime, startRetry 3.0 seconds | before a retry failed 1 for 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff,
                send forcedDisconnect, answerEnders | before the radio failed 1
            - attempt timed out, retry due, heard, connected, connect failed, failed, radio returned, stands,
                stands no more, absence over
        lost: before a retry restoring lost 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting restoring for 1
            forced | stopRetry, answerCallers forcedDisconnect, send forcedDisconnect | idle lost 1
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring lost 1
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio lost 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle lost 1
            - caller timed out, caller cancelled, attempt timed out, heard, connected, connect failed, disconnected,
                failed, radio returned, stands, stands no more
        lost too often: connected lost 2
            joined | startCallerTime | connected for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | disconnecting forced lost 2
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected disconnected,
                answerEnders, send gaveUp, endSubscriptions | idle lost 3
            failed | stopAttemptTime, publish disconnecting, disconnect | disconnecting as lost lost 2
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected poweredOff, answerEnders | before the radio lost 2
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                radio returned, stands, stands no more, absence over
        restoring: connecting restoring lost 1
            joined | startCallerTime, stopAttemptTime | connecting restoring for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced lost 1
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry restoring failed 1 lost 1
            connected | stopAttemptTime, open again, report | connected lost 1
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 lost 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 lost 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio lost 1
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting lost 1
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more
        restoring, joined: connecting restoring for 1
            joined | startCallerTime, stopAttemptTime | connecting restoring for 2
            caller timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting to retry restoring failed 1 for 1
            caller cancelled | answerCaller, stopAttemptTime, startAttemptTime 5.0 seconds | connecting restoring
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            connected | stopAttemptTime, open again, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, heard, failed, radio returned, stands, stands no more
        restoring, timed out: aborting to retry restoring failed 1 lost 1
            joined | startCallerTime | aborting to retry restoring failed 1 for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | aborting forced lost 1
            connect failed | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring failed 1 lost 1
            disconnected | publish disconnected, answerEnders, stopCallersTime, startRetry 3.0 seconds
                | before a retry restoring failed 1 lost 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio failed 1 lost 1
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | aborting lost 1
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, failed,
                radio returned, stands, stands no more
        awaiting the lost: awaiting restoring lost 1
            joined | startCallerTime, stopAttemptTime | awaiting restoring for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced lost 1
            heard | stopAttemptTime, startAttemptTime 5.0 seconds | connecting restoring lost 1
            connected | stopAttemptTime, open again, report | connected lost 1
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 lost 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 lost 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio lost 1
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting lost 1
            - caller timed out, caller cancelled, attempt timed out, retry due, failed, radio returned, stands,
                stands no more
        awaiting the lost, joined: awaiting restoring for 1
            joined | startCallerTime, stopAttemptTime | awaiting restoring for 2
            caller timed out | answerCaller | awaiting restoring
            caller cancelled | answerCaller | awaiting restoring
            forced | answerCallers forcedDisconnect, send forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | aborting forced
            heard | | connecting restoring for 1
            connected | stopAttemptTime, open again, report | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 for 1
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected, stopCallersTime,
                startRetry 3.0 seconds | before a retry restoring failed 1 for 1
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio
            absence over | stopAttemptTime, publish disconnecting, disconnect, answerCallers timeout, send gaveUp,
                endSubscriptions | aborting
            - attempt timed out, retry due, failed, radio returned, stands, stands no more
        without a radio: before the radio
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect | connecting for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | idle
            radio lost | stopAttemptTime | idle
            radio returned | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connected, connect failed,
                disconnected, failed, stands, stands no more
        restored: idle stood
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood for 1
            forced | answerCallers forcedDisconnect | idle unwanted
            connected | stopAttemptTime, open, takeUp | connected
            radio lost | stopAttemptTime | idle stood
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime, startAttemptTime 5.0 seconds,
                connect | connecting stood
            stands no more | send disconnected disconnected | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned, absence over
        restored under a policy: idle stood
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood for 1
            forced | answerCallers forcedDisconnect | idle unwanted
            connected | stopAttemptTime, open, takeUp | connected
            radio lost | stopAttemptTime | idle stood
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime, startAttemptTime 5.0 seconds,
                connect | connecting restoring stood
            stands no more | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring stood
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned, absence over
        restored attempt: idle attempted
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting attempted for 1
            forced | answerCallers forcedDisconnect | idle
            connected | stopAttemptTime, open, takeUp | connected
            radio lost | stopAttemptTime | idle attempted
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime, startAttemptTime 5.0 seconds,
                connect | connecting attempted
            stands no more | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting attempted
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned, absence over
        restored attempt, failed: before a retry restoring attempted failed 1
            joined | startCallerTime, stopRetry, publish connecting, countAttempt, startCallersTime, connect
                | connecting restoring attempted failed 1 for 1
            forced | stopRetry, answerCallers forcedDisconnect, send forcedDisconnect | idle
            retry due | stopRetry, publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring attempted failed 1
            connected | stopRetry, stopAttemptTime, open again, takeUp | connected
            radio lost | stopRetry, stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders
                | before the radio attempted failed 1
            absence over | stopRetry, answerCallers timeout, send gaveUp, endSubscriptions | idle
            - caller timed out, caller cancelled, attempt timed out, heard, connect failed, disconnected, failed,
                radio returned, stands, stands no more
        restored attempt without a radio: before the radio attempted
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting attempted for 1
            forced | answerCallers forcedDisconnect, send forcedDisconnect | idle
            connected | stopAttemptTime, open, takeUp | connected
            radio lost | stopAttemptTime | idle attempted
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime, startAttemptTime 5.0 seconds,
                connect | connecting restoring attempted
            stands no more | publish connecting, countAttempt, startCallersTime, stopAttemptTime,
                startAttemptTime 5.0 seconds, connect | connecting restoring attempted
            absence over | answerCallers timeout, send gaveUp, endSubscriptions | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned
        restored and unwanted: idle unwanted
            joined | startCallerTime, publish connecting, countAttempt, startCallersTime, connect
                | connecting stood for 1
            forced | answerCallers forcedDisconnect | idle
            connected | stopAttemptTime, open, answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | disconnecting forced
            radio lost | stopAttemptTime | idle unwanted
            stands | publish connecting, countAttempt, startCallersTime, stopAttemptTime, startAttemptTime 5.0 seconds,
                connect | connecting unwanted
            stands no more | | idle
            - caller timed out, caller cancelled, attempt timed out, retry due, heard, connect failed, disconnected,
                failed, radio returned, absence over
        taking up: connecting stood
            joined | startCallerTime, stopAttemptTime | connecting stood for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting
            connected | stopAttemptTime, open, takeUp | connected
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle stood
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more,
                absence over
        taken up, joined: connected for 1
            joined | startCallerTime | connected for 2
            caller timed out | answerCaller | connected
            caller cancelled | answerCaller | connected
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | disconnecting forced
            disconnected | close disconnected, publish disconnected, countLoss, send disconnected disconnected,
                answerEnders, publish connecting, countAttempt, startCallersTime, connect | connecting lost 1 for 1
            failed | stopAttemptTime, publish disconnecting, disconnect | disconnecting as lost for 1
            radio lost | stopAttemptTime, close poweredOff, publish disconnected, answerCallers poweredOff, countLoss,
                send disconnected poweredOff, answerEnders | idle
            - attempt timed out, retry due, heard, connected, connect failed, radio returned, stands, stands no more,
                absence over
        taking up the unwanted: connecting unwanted
            joined | startCallerTime, stopAttemptTime | connecting stood for 1
            forced | answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting, disconnect
                | aborting forced
            attempt timed out | countTimeout, send timedOut, stopAttemptTime, publish disconnecting, disconnect
                | aborting
            connected | stopAttemptTime, open, answerCallers forcedDisconnect, stopAttemptTime, publish disconnecting,
                disconnect | disconnecting forced
            connect failed | stopAttemptTime, publish disconnected, send disconnected unsupported,
                answerCallers unsupported, answerEnders | idle
            disconnected | stopAttemptTime, publish disconnected, send disconnected disconnected,
                answerCallers disconnected, answerEnders | idle
            radio lost | stopAttemptTime, publish disconnected, answerCallers poweredOff, answerEnders | idle unwanted
            - caller timed out, caller cancelled, retry due, heard, failed, radio returned, stands, stands no more,
                absence over
        """, rareStates)
}
