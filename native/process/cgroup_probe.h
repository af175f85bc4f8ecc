// Tries the cgroup range for real: makes a folder, starts a process in it, sees it empty, may kill it as a whole,
// removes it.
#pragma once

#include <string>

#include "os/result.h"

namespace quiesce {

// `parent` is a cgroup v2 folder. The error names the step that failed. Blocks for about a millisecond.
[[nodiscard]] Status ProbeCgroup(const std::string& parent);

}  // namespace quiesce
