// What comes in by descriptor goes past every path rule, so nothing but the three streams comes in.
#pragma once

#include "os/result.h"

namespace quiesce {

// Closes all but the three streams, and opens /dev/null for one that is closed, so that no other file takes its number.
[[nodiscard]] Status KeepStreamsOnly();

}  // namespace quiesce
