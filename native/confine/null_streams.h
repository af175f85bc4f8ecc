// Streams that are the null device come from the host's /dev. A descriptor keeps the mount that it was opened through,
// and through the host's one root could change the mode of the host's node.
#pragma once

#include "os/result.h"

namespace quiesce {

// Opens each of the first three descriptors that is the null device again, in the /dev that is mounted now.
[[nodiscard]] Status ReopenNullStreams();

}  // namespace quiesce
