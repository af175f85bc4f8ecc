#include "os/features.h"

#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

HostFeatures ProbeHostFeatures() {
  HostFeatures features;
  // Without arguments the call fails in either case, but a kernel that knows it says why.
  features.clone3 = syscall(SYS_clone3, nullptr, 0) == -1 && errno != ENOSYS && errno != EPERM;
  features.close_range = syscall(SYS_close_range, ~0U, ~0U, 0U) == 0;
  const UniqueFd self(sys::PidfdOpen(getpid()));
  features.pidfd_open = self.valid();
  features.pidfd_signal_group =
      self.valid() && (sys::PidfdSendSignal(self.get(), 0, sys::kPidfdSignalProcessGroup) == 0 || errno == ESRCH);
  return features;
}

}  // namespace quiesce
