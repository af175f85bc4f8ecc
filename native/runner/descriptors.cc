#include "runner/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "confine/step.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "descriptors";
constexpr int kFirst = STDERR_FILENO + 1;
// What the runtime hands to a command beside its streams has these numbers.
constexpr int kControl = 7;
constexpr int kAttachment = 8;
constexpr const char* kControlVariable = "QUIESCE_CONTROL_FD";

// The channel that the environment names, and a socket.
bool IsControl() {
  const char* named = std::getenv(kControlVariable);
  struct stat facts {};
  return named != nullptr && std::strcmp(named, "7") == 0 && fstat(kControl, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

// A file without a name that nobody can write to: all that can be done with it is to read what it holds.
bool IsAttachment() {
  struct stat facts {};
  if (fstat(kAttachment, &facts) == -1 || !S_ISREG(facts.st_mode) || facts.st_nlink != 0) return false;
  const int seals = fcntl(kAttachment, F_GET_SEALS);
  if (seals != -1 && (seals & F_SEAL_WRITE) != 0) return true;
  return (fcntl(kAttachment, F_GETFL) & (O_ACCMODE | O_PATH)) == O_RDONLY;
}

bool IsKept(int number, bool control, bool attachment) {
  return (control && number == kControl) || (attachment && number == kAttachment);
}

// compat(kernel < 5.9, or close_range refused by a filter): by the list in /proc.
Status CloseListed(bool control, bool attachment) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  if (!folder) return StepError(kStep, "/proc/self/fd");
  std::vector<int> others;
  while (const dirent* entry = readdir(folder.get())) {
    const auto number = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
    if (number >= kFirst && number != dirfd(folder.get()) && !IsKept(number, control, attachment)) {
      others.push_back(number);
    }
  }
  for (const int number : others) (void)close(number);
  return {};
}

bool CloseRange(int first, unsigned last) {
  return syscall(SYS_close_range, static_cast<unsigned>(first), last, 0U) == 0;
}

}  // namespace

Status KeepStreamsOnly() {
  for (int stream = 0; stream < kFirst; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest number that is free is this one, as all below are open.
    if (open("/dev/null", O_RDWR) == -1) return StepError(kStep, "/dev/null");  // NOLINT(android-cloexec-open)
  }
  const bool control = IsControl();
  const bool attachment = IsAttachment();
  if (!CloseRange(kAttachment + 1, ~0U) || !CloseRange(kFirst, kControl - 1)) return CloseListed(control, attachment);
  if (!control) (void)close(kControl);        // it may not be open
  if (!attachment) (void)close(kAttachment);  // it may not be open
  return {};
}

}  // namespace quiesce
