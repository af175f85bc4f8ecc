// A ChildPlan on its way from the host to the launcher: every string as bytes, every descriptor as one that travels
// along. launcher/received_start.h makes the same plan of it again.
#pragma once

#include "os/result.h"
#include "spawn/child.h"

namespace quiesce {

// `folder` is the cgroup folder of the command; `plan.settings` must be set, all its limits count. Blocks only while
// the other end has unread messages. E2BIG: nothing that execve would take.
[[nodiscard]] Status SendStart(int socket, const ChildPlan& plan, int folder);

}  // namespace quiesce
