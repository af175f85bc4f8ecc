// Clones a child that carries out a plan, in its range from its first instruction, or at the latest before its execve.
#pragma once

#include "os/result.h"
#include "spawn/child.h"
#include "spawn/clone.h"

namespace quiesce {

// Returns when the child has called execve or exited; what failed in the child stands in the plan then.
Result<ClonedChild> Launch(ChildPlan* plan, ChildPlace place, const ChildStack& stack);

// A child of this process; `cgroup` as in ChildPlace.
inline Result<ClonedChild> Launch(ChildPlan* plan, int cgroup, const ChildStack& stack) {
  return Launch(plan, ChildPlace{cgroup, nullptr}, stack);
}

// Children move themselves into their cgroup from now on: for a host whose clones into one are killed at birth. From
// kernel 6.14 on the count of kills of the folder that is cloned into is compared with that of the host's own folder,
// so a host in a folder that was once emptied by cgroup.kill loses every such child.
void AvoidCloneIntoCgroup();

}  // namespace quiesce
