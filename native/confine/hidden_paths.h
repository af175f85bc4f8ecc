// Paths of which nothing is to be seen: an empty read-only folder or file lies over each.
#pragma once

#include <string>
#include <vector>

#include "os/result.h"

namespace quiesce {

// Covers each of `paths`, symbolic links followed. One that does not exist, or that this process itself may not reach,
// needs no cover and is left out. A path that would cover one of `roots`, which are canonical, is an error. To be
// called when all else is mounted.
[[nodiscard]] Status HidePaths(const std::vector<std::string>& paths, const std::vector<std::string>& roots);

}  // namespace quiesce
