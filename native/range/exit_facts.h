// How a direct command ended and what it used.
#pragma once

#include <cstdint>
#include <optional>

#include "os/result.h"

namespace quiesce {

// Of the command and of the descendants that it waited for.
struct ExitFacts {
  std::optional<int> exit_code;
  std::optional<int> signal_number;
  std::optional<double> user_ms;
  std::optional<double> system_ms;
  std::optional<uint64_t> max_rss_bytes;
};

// Reaps the process behind `pidfd`; nothing while it still runs. Only ever waits for this one process. Where somebody
// else has reaped it (the kernel for a host that ignores SIGCHLD, or another reaper in the host) the kernel still tells
// how it ended, but not what it used; one older than 6.15 tells neither.
std::optional<ExitFacts> Reap(int pidfd);

}  // namespace quiesce
