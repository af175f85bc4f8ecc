// Interactive shells ignore TERM and obey the hang-up that the closing of a terminal means; programs that listen to
// TERM are left to do so in peace.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace quiesce {

// The text of /proc/PID/status: whether SIGTERM is among the signals that the process ignores.
bool ParseIgnoresTerm(std::string_view status);

// False as well for a process that may not be looked at.
bool IgnoresTerm(pid_t pid);

}  // namespace quiesce
