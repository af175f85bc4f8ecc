// The steps by which a child confines itself, in the memory of the host: only raw system calls. Two rules keep the host
// unharmed. The child never changes ids and never calls PR_SET_DUMPABLE: the kernel would make the shared memory, and
// so the host, undumpable. It never drops capabilities that it holds: as long as it holds more than an earlier command
// of the same policy, that one cannot reach the host's memory through it, so execve drops them, by the bounding set.
#pragma once

#include "spawn/confinement.h"

namespace quiesce {

struct ConfineFailure {
  ConfineStep step = ConfineStep::kNone;
  int error = 0;
};

// Before the chdir: the working folder is one of the mount namespace.
ConfineFailure EnterConfinement(const ChildConfinement& confinement);

// After the chdir, right before the execve.
ConfineFailure GiveUpRights(const ChildConfinement& confinement);

}  // namespace quiesce
