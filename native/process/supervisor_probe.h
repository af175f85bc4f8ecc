// Tries the supervisor range for real: starts a command that leaves an orphan in a session of its own, hears of its
// end, sees the orphan held, ends it, sees nobody left.
#pragma once

#include <string>

#include "os/result.h"

namespace quiesce {

// `program` is quiesce-supervisor. The error names the step that failed. Blocks for about a millisecond.
[[nodiscard]] Status ProbeSupervisor(const std::string& program);

}  // namespace quiesce
