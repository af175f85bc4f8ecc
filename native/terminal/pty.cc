#include "terminal/pty.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "os/sys.h"

#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41)
#endif

namespace quiesce {

namespace {

constexpr const char* kMultiplexer = "/dev/ptmx";

// By the host's end itself, so that no mount over /dev/pts can put another terminal in its place.
UniqueFd OpenCommandEnd(int host) {
  UniqueFd end(ioctl(host, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (end.valid() || (errno != EINVAL && errno != ENOTTY)) return end;
  // compat(kernel < 4.13): by its name.
  unsigned number = 0;
  if (ioctl(host, TIOCGPTN, &number) == -1) return {};
  const std::string path = "/dev/pts/" + std::to_string(number);
  return UniqueFd(sys::OpenAt(AT_FDCWD, path.c_str(), O_RDWR | O_NOCTTY));
}

}  // namespace

Result<Pty> OpenPty(TerminalSize size) {
  Pty pty;
  pty.host.Reset(sys::OpenAt(AT_FDCWD, kMultiplexer, O_RDWR | O_NOCTTY | O_NONBLOCK));
  if (!pty.host.valid()) return SysError{errno, "open", kMultiplexer};
  const int unlocked = 0;
  if (ioctl(pty.host.get(), TIOCSPTLCK, &unlocked) == -1) return SysError{errno, "ioctl", kMultiplexer};
  pty.command = OpenCommandEnd(pty.host.get());
  if (!pty.command.valid()) return SysError{errno, "open", "/dev/pts"};
  if (Status set = SetSize(pty.host.get(), size); !set.ok()) return set.error();
  struct stat facts {};
  if (fstat(pty.command.get(), &facts) == -1) return SysError{errno, "fstat", {}};
  pty.device = facts.st_rdev;
  return pty;
}

Status SetSize(int fd, TerminalSize size) {
  const winsize wanted{size.rows, size.cols, 0, 0};
  if (ioctl(fd, TIOCSWINSZ, &wanted) == -1) return SysError{errno, "ioctl", {}};
  return {};
}

}  // namespace quiesce
