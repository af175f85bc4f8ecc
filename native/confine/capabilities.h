// Capabilities go by way of execve: what the bounding set lacks, the program that is executed does not get. They are
// not taken from this process itself, since until execve the capabilities are what protects it from commands that run
// in the same confinement already.
#pragma once

#include <linux/capability.h>

#include <cstdint>

#include "os/result.h"

namespace quiesce {

constexpr uint64_t CapabilityBit(unsigned number) { return uint64_t{1} << number; }

// What root keeps: files and users. With these tar, cp -p, the unpacking of packages and su go on working.
inline constexpr uint64_t kKeptCapabilities =
    CapabilityBit(CAP_CHOWN) | CapabilityBit(CAP_DAC_OVERRIDE) | CapabilityBit(CAP_FOWNER) | CapabilityBit(CAP_FSETID) |
    CapabilityBit(CAP_SETUID) | CapabilityBit(CAP_SETGID) | CapabilityBit(CAP_KILL);

// The effective capabilities of this thread.
Result<uint64_t> EffectiveCapabilities();

// Takes all but `kept` from the bounding set, and empties the ambient set. EPERM if there is something to take and the
// capability SETPCAP is not held.
[[nodiscard]] Status LimitCapabilities(uint64_t kept);

// Takes from a program that is not root's what this process would hand on to it.
[[nodiscard]] Status ClearAmbientCapabilities();

}  // namespace quiesce
