#include "range/supervisor_program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/file.h"
#include "os/sys.h"
#include "spawn/child.h"

namespace quiesce {

namespace {

Status MoveAboveTargets(UniqueFd* fd) {
  if (fd->get() >= kFirstFreeDescriptor) return {};
  fd->Reset(fcntl(fd->get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
  if (!fd->valid()) return SysError{errno, "fcntl", {}};
  return {};
}

bool IsExecutable(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

// A copy in memory that cannot be changed. Where such a one may not be executed (the sysctl vm.memfd_noexec) the file
// itself.
Result<UniqueFd> OpenExecutable(const std::string& path) {
  UniqueFd file(sys::OpenAt(AT_FDCWD, path.c_str(), O_RDONLY));
  if (!file.valid()) return SysError{errno, "open", path};
  auto content = ReadAgain(file.get());
  if (!content.ok()) return SysError{content.error().number, content.error().syscall, path};
  auto copy = MakeSealedFile(content.value());
  if (copy.ok() && IsExecutable(copy.value().get())) return copy;
  return file;
}

std::string OwnOomScore() {
  auto text = ReadFileAt(AT_FDCWD, "/proc/self/oom_score_adj");
  return text.ok() ? text.value().substr(0, text.value().find('\n')) : std::string();
}

}  // namespace

Result<SupervisorProgram> SupervisorProgram::Open(const std::string& path, HostCrash host_crash) {
  auto executable = OpenExecutable(path);
  if (!executable.ok()) return executable.error();
  UniqueFd host(sys::PidfdOpen(getpid()));
  if (!host.valid()) return SysError{errno, "pidfd_open", {}};
  for (UniqueFd* fd : {&executable.value(), &host}) {
    if (Status moved = MoveAboveTargets(fd); !moved.ok()) return moved.error();
  }
  return SupervisorProgram{std::move(executable.value()), std::move(host), OwnOomScore(), host_crash};
}

}  // namespace quiesce
