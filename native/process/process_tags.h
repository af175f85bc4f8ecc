// What the events of a process are about. Only for the sources of the class Process.
#pragma once

namespace quiesce {

enum ReadyTag : int { kOutputReady, kErrorReady, kInputReady, kPidfdReady, kRangeReady };
enum TimerTag : int { kDeadlineTimer, kLadderTimer, kRangeTimer, kSettleTimer, kUnkillableTimer, kPollTimer };

}  // namespace quiesce
