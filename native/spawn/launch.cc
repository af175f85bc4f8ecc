#include "spawn/launch.h"

#include <fcntl.h>

#include <cerrno>

#include "os/signals.h"
#include "os/sys.h"
#include "spawn/clone_support.h"

namespace quiesce {

void AvoidCloneIntoCgroup() { clone_support.into_cgroup.store(false, std::memory_order_relaxed); }

Result<ClonedChild> Launch(ChildPlan* plan, ChildPlace place, const ChildStack& stack) {
  // A handler of the host must not run in the child, which has the host's memory.
  const AllSignalsBlocked blocked;
  if (place.cgroup < 0) return CloneChild(ChildMain, plan, place, stack);
  if (clone_support.into_cgroup.load(std::memory_order_relaxed)) {
    auto cloned = CloneChild(ChildMain, plan, place, stack);
    if (cloned.ok() || !MeansUnsupported(cloned.error())) return cloned;
    AvoidCloneIntoCgroup();
  }
  // compat(kernel < 5.7, or clone3 refused by a seccomp filter, or killed at birth): no CLONE_INTO_CGROUP.
  const UniqueFd procs(sys::OpenAt(place.cgroup, "cgroup.procs", O_WRONLY));
  if (!procs.valid()) return SysError{errno, "open", "cgroup.procs"};
  plan->cgroup_procs = procs.get();
  return CloneChild(ChildMain, plan, {-1, place.sibling}, stack);
}

}  // namespace quiesce
