// Which file a path leads to now, links followed.
#pragma once

#include <cstdint>
#include <string>

#include "os/result.h"

namespace quiesce {

struct PathIdentity {
  bool exists = false;
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  uint64_t inode = 0;

  bool operator==(const PathIdentity&) const = default;
};

// A path that leads nowhere is an answer, and so is one that this user may not follow.
Result<PathIdentity> ReadPathIdentity(const std::string& path);

}  // namespace quiesce
