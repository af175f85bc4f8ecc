// What became of a start, on its way back from the launcher.
#pragma once

#include "launcher/protocol.h"
#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/child.h"
#include "spawn/clone.h"

namespace quiesce {

// `refused` is the errno where there was no clone. `child` and what stands in `plan` otherwise.
[[nodiscard]] Status SendRefusal(int socket, int refused);
[[nodiscard]] Status SendStarted(int socket, const ClonedChild& child, const ChildPlan& plan);

struct ReceivedReply {
  StartReply facts;
  UniqueFd pidfd;  // invalid with a pid: this process had no room for it
};

// Does not block. Errors as for ReceiveMessage; EPROTO also for what is no such message.
Result<ReceivedReply> ReceiveReply(int socket);

}  // namespace quiesce
