#include "runner/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "confine/step.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "descriptors";
constexpr int kFirst = STDERR_FILENO + 1;

// compat(kernel < 5.9, or close_range refused by a filter): by the list in /proc.
Status CloseListed() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  if (!folder) return StepError(kStep, "/proc/self/fd");
  std::vector<int> others;
  while (const dirent* entry = readdir(folder.get())) {
    const auto number = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
    if (number >= kFirst && number != dirfd(folder.get())) others.push_back(number);
  }
  for (const int number : others) (void)close(number);
  return {};
}

}  // namespace

Status KeepStreamsOnly() {
  for (int stream = 0; stream < kFirst; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest number that is free is this one, as all below are open.
    if (open("/dev/null", O_RDWR) == -1) return StepError(kStep, "/dev/null");  // NOLINT(android-cloexec-open)
  }
  if (syscall(SYS_close_range, static_cast<unsigned>(kFirst), ~0U, 0U) == 0) return {};
  return CloseListed();
}

}  // namespace quiesce
