#include "prepared/path_identity.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace quiesce {

Result<PathIdentity> ReadPathIdentity(const std::string& path) {
  struct statx found {};
  if (syscall(SYS_statx, AT_FDCWD, path.c_str(), 0, STATX_INO, &found) == -1) {
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return PathIdentity{};
    return SysError{errno, "statx", path};
  }
  return PathIdentity{true, found.stx_dev_major, found.stx_dev_minor, found.stx_ino};
}

}  // namespace quiesce
