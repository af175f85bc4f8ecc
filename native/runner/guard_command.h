// quiesce-runner guard: outlives its host for a moment when that is killed, and ends what the host would have ended.
#pragma once

namespace quiesce {

// `arguments` is the number of the descriptor of the socket over which the host tells what there is to guard
// (guardian/message.h). Gives the exit status.
int RunGuard(char** arguments);

}  // namespace quiesce
