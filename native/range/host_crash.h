// What becomes of the commands when this process dies without having ended them.
#pragma once

#include <cstdint>

namespace quiesce {

enum class HostCrash : uint8_t { kEnd, kLeave };

}  // namespace quiesce
