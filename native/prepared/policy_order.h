// What is asked of a preparation: the command that makes it, and the paths in it that must be watched.
#pragma once

#include <string>
#include <vector>

#include "os/result.h"

namespace quiesce {

struct PolicyOrder {
  std::string key;  // the runner and its options, every one followed by one NUL
  std::vector<std::string> writable;
  std::vector<std::string> hidden;
};

// EINVAL for a text that is no such list, or an option without its path.
Result<PolicyOrder> ReadPolicyOrder(std::string key);

}  // namespace quiesce
