#include "terminal/foreground.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include "os/file.h"
#include "range/process_table.h"
#include "terminal/waiting_call.h"

namespace quiesce {

namespace {

// Documentation/admin-guide/devices.txt: /dev/tty, the controlling terminal of whoever opens it.
const dev_t kOwnTerminal = makedev(5, 0);

// Calls `look` with each numeric name in the folder until it says true; whether it did.
template <typename Look>
bool AnyNumber(const char* path, Look look) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path), closedir);
  if (folder == nullptr) return false;
  while (const dirent* entry = readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    const std::string_view name(entry->d_name);
    pid_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size() && look(number)) return true;
  }
  return false;
}

bool IsTerminal(const std::string& process, int fd, dev_t terminal) {
  struct stat facts {};
  const std::string path = process + "/fd/" + std::to_string(fd);
  if (stat(path.c_str(), &facts) == -1 || !S_ISCHR(facts.st_mode)) return false;
  return facts.st_rdev == terminal || facts.st_rdev == kOwnTerminal;
}

bool DoesProcessWait(pid_t pid, dev_t terminal) {
  const std::string process = "/proc/" + std::to_string(pid);
  const std::string threads = process + "/task";
  return AnyNumber(threads.c_str(), [&](pid_t thread) {
    const std::string path = threads + "/" + std::to_string(thread) + "/syscall";
    auto text = ReadFileAt(AT_FDCWD, path.c_str());
    if (!text.ok()) return false;
    const auto call = ParseWaitingCall(text.value());
    if (!call.has_value()) return false;
    const auto fds = DescriptorsWaitedFor(pid, *call);
    return std::any_of(fds.begin(), fds.end(), [&](int fd) { return IsTerminal(process, fd, terminal); });
  });
}

}  // namespace

bool WaitsForInput(pid_t group, dev_t terminal) {
  if (IsRunningMember(group, group) && DoesProcessWait(group, terminal)) return true;
  return AnyNumber("/proc", [&](pid_t pid) {
    return pid != group && IsRunningMember(pid, group) && DoesProcessWait(pid, terminal);
  });
}

}  // namespace quiesce
