// Everybody below the supervisor, signalled one by one.
#pragma once

namespace quiesce::supervisor {

// Sends the signal, then SIGCONT, once to each process that is found below this one; a second look finds who was born
// during the first. False if /proc tells nothing.
bool SignalTree(int signal_number);

}  // namespace quiesce::supervisor
