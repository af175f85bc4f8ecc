// Whether the process group in the foreground of a terminal waits for input from it. What may not be looked at does not
// count as waiting.
#pragma once

#include <sys/types.h>

namespace quiesce {

// `terminal` is the device of the command's end. Looks at every thread of `group`: first at the leader's, which mostly
// is the one. Blocks for as long as a look through /proc takes.
bool WaitsForInput(pid_t group, dev_t terminal);

}  // namespace quiesce
