#include "confine/loopback.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "confine/step.h"
#include "os/unique_fd.h"

namespace quiesce {

Status BringLoopbackUp() {
  constexpr const char* kStep = "network";
  const UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!any.valid()) return StepError(kStep);
  ifreq request{};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  request.ifr_flags = IFF_UP;
  if (ioctl(any.get(), SIOCSIFFLAGS, &request) == -1) return StepError(kStep);
  return {};
}

}  // namespace quiesce
