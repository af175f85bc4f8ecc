// What this kernel, or the seccomp filter of this process, was seen to refuse: each way is tried once, then left.
#pragma once

#include <atomic>

#include "spawn/clone3_call.h"

namespace quiesce {

struct CloneSupport {
  std::atomic<bool> clone3{QUIESCE_HAS_CLONE3 != 0};
  std::atomic<bool> into_cgroup{true};
};

inline CloneSupport clone_support;

}  // namespace quiesce
