// Creates a process that shares the host's memory until its execve (clone with CLONE_VM and CLONE_VFORK): the cost does
// not depend on the size of the host, and the calling thread, no other, waits until the child has called execve or
// exited.
#pragma once

#include <sys/types.h>

#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/child_stack.h"

namespace quiesce {

struct ClonedChild {
  pid_t pid = -1;
  UniqueFd pidfd;
};

// Runs `entry(argument)` in the child, which must not return. The caller has all signals blocked. With `cgroup` >= 0
// the child starts in that folder; an error of which MeansUnsupported is true then says that this kernel cannot do so.
Result<ClonedChild> CloneChild(void (*entry)(void*), void* argument, int cgroup, const ChildStack& stack);

// The call, or a flag of it, is unknown to the kernel or refused by a seccomp filter.
bool MeansUnsupported(const SysError& error);

}  // namespace quiesce
