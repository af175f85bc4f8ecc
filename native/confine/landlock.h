// The second line behind the mounts, and the only one without namespaces: what may be written to, and no signals, no
// tracing and no abstract sockets across the border.
#pragma once

#include "confine/policy.h"
#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

// The version of Landlock's interface that this kernel has; 0 for none.
int LandlockAbi();

struct LandlockScene {
  int abi = 0;
  // In namespaces, /dev is one that DeviceFolder made and ProcMasks lie over the kernel's settings.
  bool in_namespaces = false;
  // A borrowed descriptor of the host's terminals, or -1: a stream that is one of them can be opened again.
  int outer_terminals = -1;
};

// To be called where the paths are those that the command will see. The result is invalid where the kernel's Landlock
// is of no use: in namespaces below ABI 2, which would refuse every move of a file to another folder.
Result<UniqueFd> MakeRuleset(const ConfinePolicy& policy, const LandlockScene& scene);

// For good, for this thread and whatever it becomes or starts. Needs no_new_privs.
[[nodiscard]] Status RestrictSelf(const UniqueFd& ruleset);

}  // namespace quiesce
