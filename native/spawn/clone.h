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

// Where the child starts and whose child it is.
struct ChildPlace {
  int cgroup = -1;  // a cgroup v2 folder, borrowed; -1: that of this process
  // Not null: the child is a sibling, a child of this process's own parent, and the kernel stores its pid here before
  // it runs, so that the parent knows of it whatever becomes of this process. Only with clone3.
  pid_t* sibling = nullptr;
};

// Runs `entry(argument)` in the child, which must not return. The caller has all signals blocked. With a cgroup an
// error of which MeansUnsupported is true says that this kernel cannot start a child there.
Result<ClonedChild> CloneChild(void (*entry)(void*), void* argument, ChildPlace place, const ChildStack& stack);

// The call, or a flag of it, is unknown to the kernel or refused by a seccomp filter.
bool MeansUnsupported(const SysError& error);

}  // namespace quiesce
