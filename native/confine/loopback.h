// A new network namespace has a loopback interface that is down.
#pragma once

#include "os/result.h"

namespace quiesce {

// Brings `lo` up in the network namespace of this process.
[[nodiscard]] Status BringLoopbackUp();

}  // namespace quiesce
