// What all processes of a command together have used, as far as their range knows it.
#pragma once

#include <cstdint>
#include <optional>

namespace quiesce {

struct TreeUsage {
  std::optional<double> cpu_ms;
  // The rest only where a limit has brought the controllers in.
  std::optional<uint64_t> memory_peak_bytes;
  std::optional<uint64_t> pids_peak;
  std::optional<uint64_t> oom_kills;
};

}  // namespace quiesce
