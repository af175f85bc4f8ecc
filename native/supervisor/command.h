// Starts the one command: in a session of its own, with default signals, and none of the supervisor's descriptors.
#pragma once

#include "supervisor/arguments.h"
#include "supervisor/protocol.h"

namespace quiesce::supervisor {

struct StartedCommand {
  int pid = -1;
  FailedStep step = FailedStep::kNone;
  int error = 0;
};

// Returns when the command has called execve, or cannot. After a failure no process is left.
StartedCommand StartCommand(const Command& command);

}  // namespace quiesce::supervisor
