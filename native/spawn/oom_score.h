// How willingly the kernel ends a command when memory runs out: before the host, which holds everybody's work.
// proc_pid_oom_score_adj(5): 0 by default, 1000 always first. Any process may raise its own value.
#pragma once

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "os/file.h"

namespace quiesce {

// As if a command held half of the memory more than it does.
inline constexpr int kOomScoreAboveHost = 500;
inline constexpr int kOomScoreMax = 1000;

// `host` is the content of the host's own file.
inline std::string OomScoreAbove(const std::string& host) {
  int own = 0;
  (void)std::from_chars(host.data(), host.data() + host.size(), own);  // unreadable: as by default
  return std::to_string(std::min(std::max(own, 0) + kOomScoreAboveHost, kOomScoreMax));
}

// What every command writes into its file. Read once: a host is given its value when it is started.
inline const std::string& CommandOomScore() {
  static const std::string score = [] {
    auto host = ReadFileAt(AT_FDCWD, "/proc/self/oom_score_adj");
    return OomScoreAbove(host.ok() ? host.value() : std::string());
  }();
  return score;
}

}  // namespace quiesce
