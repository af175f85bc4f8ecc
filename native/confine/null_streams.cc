#include "confine/null_streams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "confine/step.h"
#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

namespace {

constexpr const char* kNullDevice = "/dev/null";

bool IsNullDevice(int fd) {
  struct stat facts {};
  if (fstat(fd, &facts) == -1 || !S_ISCHR(facts.st_mode)) return false;
  // Documentation/admin-guide/devices.txt
  return major(facts.st_rdev) == 1 && minor(facts.st_rdev) == 3;
}

}  // namespace

Status ReopenNullStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (!IsNullDevice(fd)) continue;
    const UniqueFd fresh(sys::OpenAt(AT_FDCWD, kNullDevice, fcntl(fd, F_GETFL) & O_ACCMODE));
    if (!fresh.valid() || dup2(fresh.get(), fd) == -1) return StepError("null-streams", kNullDevice);
  }
  return {};
}

}  // namespace quiesce
