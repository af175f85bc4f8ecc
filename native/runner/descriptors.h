// What comes in by descriptor goes past every path rule, so nothing comes in but the three streams and what the runtime
// itself hands to a command: its control channel (7), which the environment names, and its attachment (8), which can
// only be read and has no name.
#pragma once

#include "os/result.h"

namespace quiesce {

// Closes all else, and opens /dev/null for a stream that is closed, so that no other file takes its number.
[[nodiscard]] Status KeepStreamsOnly();

}  // namespace quiesce
