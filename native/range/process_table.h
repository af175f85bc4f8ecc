// One look through /proc for processes of a group. The only source for states of processes that are nobody's children
// here.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "os/result.h"

namespace quiesce {

struct ProcessStat {
  char state = '?';
  pid_t group = 0;
};

// The fields of /proc/PID/stat; nothing for a text that is none. The program name in it may hold any byte.
std::optional<ProcessStat> ParseStat(std::string_view text);

// A process of `group` that still runs (is no zombie), or 0. An error when /proc cannot be read.
Result<pid_t> FindRunningMember(pid_t group);

// Whether `pid` is a running member of `group` right now.
bool IsRunningMember(pid_t pid, pid_t group);

}  // namespace quiesce
