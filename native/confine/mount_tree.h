// Everything that a command sees of the file system, in a mount namespace that this process has just entered: read-only
// but for the writable roots, /dev as it needs it, the kernel's settings out of reach, hidden paths covered.
#pragma once

#include "confine/policy.h"
#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

struct MountTree {
  // The terminals of the host, which no path leads to any more, but /dev/stdout does when it is one. Invalid where
  // there are none.
  UniqueFd outer_terminals;
};

// The order is what makes it work; after a failure the namespace is of no use. The working folder is still the one of
// the old mounts afterwards: enter it again by its path. `policy.writable_roots` are canonical.
Result<MountTree> BuildMountTree(const ConfinePolicy& policy);

}  // namespace quiesce
