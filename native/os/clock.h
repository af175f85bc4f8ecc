// The one clock of the core: monotonic, so that a wall clock that jumps changes no deadline.
#pragma once

#include <chrono>

namespace quiesce {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC on Linux
using TimePoint = Clock::time_point;
using Millis = std::chrono::duration<double, std::milli>;

inline TimePoint After(TimePoint start, Millis delay) {
  return start + std::chrono::duration_cast<Clock::duration>(delay);
}

}  // namespace quiesce
