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
  double user_ms = 0;
  double system_ms = 0;
  std::optional<uint64_t> max_rss_bytes;
};

// Reaps the process behind `pidfd`; nothing while it still runs. Only ever waits for this one process.
std::optional<ExitFacts> Reap(int pidfd);

}  // namespace quiesce
