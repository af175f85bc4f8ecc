// Tries ranges for real: starts a process in one, sees it empty, may kill it as a whole.
#pragma once

#include "os/result.h"
#include "range/range.h"

namespace quiesce {

// The error names the step that failed. Blocks for as long as the source takes to make a range, and a millisecond.
[[nodiscard]] Status ProbeRanges(RangeSource& source);

}  // namespace quiesce
