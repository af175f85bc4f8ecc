#include "confine/capabilities.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/step.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "capabilities";

}  // namespace

Result<uint64_t> EffectiveCapabilities() {
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  if (syscall(SYS_capget, &head, data) == -1) return StepError(kStep);
  return data[0].effective | static_cast<uint64_t>(data[1].effective) << 32;
}

Status LimitCapabilities(uint64_t kept) {
  for (unsigned number = 0; number < 64; ++number) {
    const int present = prctl(PR_CAPBSET_READ, number, 0, 0, 0);
    if (present == -1) break;  // one past the last capability of this kernel
    if (present == 0 || (kept & CapabilityBit(number)) != 0) continue;
    if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == -1) return StepError(kStep);
  }
  return ClearAmbientCapabilities();
}

Status ClearAmbientCapabilities() {
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == -1) return StepError(kStep);
  return {};
}

}  // namespace quiesce
