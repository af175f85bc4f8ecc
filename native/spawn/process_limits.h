// From the limits of each process that were asked for to what the child sets (setrlimit(2)).
#pragma once

#include <optional>

#include "spawn/child.h"
#include "spawn/limits.h"
#include "spawn/spawn_request.h"

namespace quiesce {

// Enters `limits` into `plan`. Limits only narrow: the failure names the first that is above the hard limit of this
// process, which stands in its path. So it is for root, too, who could raise it.
std::optional<SpawnFailure> PlanLimits(const ProcessLimits& limits, ChildPlan* plan);

}  // namespace quiesce
