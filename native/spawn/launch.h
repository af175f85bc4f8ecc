// Clones a child that carries out a plan, in its range from its first instruction, or at the latest before its execve.
#pragma once

#include "os/result.h"
#include "spawn/child.h"
#include "spawn/clone.h"

namespace quiesce {

// `cgroup` is a cgroup v2 folder (borrowed) or -1. Returns when the child has called execve or exited; what failed in the
// child stands in the plan then.
Result<ClonedChild> Launch(ChildPlan* plan, int cgroup, const ChildStack& stack);

}  // namespace quiesce
