// What the kernel, or a seccomp filter in front of it, lets this process use. Only to be told: every caller has its own
// fallback.
#pragma once

namespace quiesce {

struct HostFeatures {
  bool clone3 = false;              // kernel 5.3
  bool close_range = false;         // kernel 5.9
  bool pidfd_open = false;          // kernel 5.3
  bool pidfd_signal_group = false;  // kernel 6.9
};

HostFeatures ProbeHostFeatures();

}  // namespace quiesce
