#include "range/cgroup_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <thread>

#include "os/clock.h"
#include "os/file.h"
#include "os/sys.h"
#include "range/cgroup_control.h"
#include "range/cgroup_members.h"

namespace quiesce {

namespace {

constexpr mode_t kFolderMode = 0755;
constexpr double kUsPerMs = 1000;
constexpr std::chrono::milliseconds kFirstEndPause{1};
constexpr std::chrono::milliseconds kLongestEndPause{16};

// Holds a folder's processes still, so that none is born between being listed and being signalled, and what a
// trap handler starts is not hit by the signal that it handles. compat(kernel < 5.2): nothing is held still.
class Frozen {
 public:
  explicit Frozen(int folder) : folder_(folder) { (void)WriteFileAt(folder_, "cgroup.freeze", "1"); }
  ~Frozen() { (void)WriteFileAt(folder_, "cgroup.freeze", "0"); }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

 private:
  int folder_;
};

Status RemoveTree(int parent, const char* name);

// Of all that can be removed; the error is the first.
Status RemoveAllIn(UniqueFd folder, const char* name, int error_if_unreadable) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(folder.get()), closedir);
  if (listing == nullptr) return SysError{error_if_unreadable, "rmdir", name};
  const int fd = folder.Release();  // the listing closes it
  Status all;
  while (const dirent* entry = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
    if (Status nested = RemoveTree(fd, entry->d_name); !nested.ok() && all.ok()) all = nested;
  }
  return all;
}

Status RemoveTree(int parent, const char* name) {
  if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
  const int first_error = errno;
  UniqueFd folder(sys::OpenAt(parent, name, O_RDONLY | O_DIRECTORY));
  if (Status nested = RemoveAllIn(std::move(folder), name, first_error); !nested.ok()) return nested;
  if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
  return SysError{errno, "rmdir", name};
}

}  // namespace

CgroupEvents ParseCgroupEvents(std::string_view text) {
  CgroupEvents events;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line == "populated 1") events.populated = true;
    if (line == "frozen 1") events.frozen = true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return events;
}

std::vector<pid_t> ParsePids(std::string_view text) {
  std::vector<pid_t> pids;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    pid_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error == std::errc{}) pids.push_back(pid);
    at = next;
    while (at < end && *at != '\n') ++at;
    if (at < end) ++at;
  }
  return pids;
}

// Without cpu.stat (no descriptor left for it) a folder is as good for all else.
CgroupFolder::CgroupFolder(int parent, std::string name, UniqueFd folder, UniqueFd events)
    : parent_(parent),
      name_(std::move(name)),
      folder_(std::move(folder)),
      events_(std::move(events)),
      cpu_stat_(sys::OpenAt(folder_.get(), "cpu.stat", O_RDONLY)) {}

Result<CgroupFolder> CgroupFolder::Create(int parent, std::string name) {
  if (mkdirat(parent, name.c_str(), kFolderMode) == -1) return SysError{errno, "mkdir", name};
  UniqueFd folder(sys::OpenAt(parent, name.c_str(), O_RDONLY | O_DIRECTORY));
  UniqueFd events(folder.valid() ? sys::OpenAt(folder.get(), "cgroup.events", O_RDONLY) : -1);
  if (!events.valid()) {
    const int error = errno;
    (void)unlinkat(parent, name.c_str(), AT_REMOVEDIR);  // the first error is the one to tell
    return SysError{error, "open", name};
  }
  return CgroupFolder(parent, std::move(name), std::move(folder), std::move(events));
}

Result<CgroupFolder> CgroupFolder::Adopt(UniqueFd folder, std::string name) {
  UniqueFd events(sys::OpenAt(folder.get(), "cgroup.events", O_RDONLY));
  if (!events.valid()) return SysError{errno, "open", name};
  return CgroupFolder(-1, std::move(name), std::move(folder), std::move(events));
}

Result<CgroupFolder> CgroupFolder::Open(int parent, std::string name, UniqueFd folder) {
  UniqueFd events(sys::OpenAt(folder.get(), "cgroup.events", O_RDONLY));
  if (!events.valid()) return SysError{errno, "open", name};
  return CgroupFolder(parent, std::move(name), std::move(folder), std::move(events));
}

Result<CgroupEvents> CgroupFolder::ReadEventsOf(int fd) {
  auto text = ReadAgain(fd);
  if (!text.ok()) return text.error();
  return ParseCgroupEvents(text.value());
}

TreeUsage CgroupFolder::TakeUsage() {
  TreeUsage usage;
  if (limited_) usage = CgroupControl(folder_.get()).ReadCounters();
  if (!cpu_stat_.valid()) return usage;
  auto text = ReadAgain(cpu_stat_.get());
  const auto used_us = text.ok() ? FindCount(text.value(), "usage_usec") : std::nullopt;
  if (!used_us.has_value()) return usage;
  usage.cpu_ms = static_cast<double>(*used_us - std::min(cpu_us_, *used_us)) / kUsPerMs;
  cpu_us_ = *used_us;
  return usage;
}

bool CgroupFolder::HasNested() const {
  struct stat status {};
  // A folder has one link from its parent, one from itself and one from each folder nested in it.
  return fstat(folder_.get(), &status) == -1 || status.st_nlink != 2;
}

bool CgroupFolder::IsPristine() const {
  if (killed_ || HasNested()) return false;
  auto events = ReadEvents();
  return events.ok() && !events.value().populated && !events.value().frozen;
}

void CgroupFolder::SignalMembers(int signal_number) const {
  const Frozen frozen(folder_.get());
  const int signal_numbers[] = {signal_number, SIGCONT};
  SignalCgroupMembers(folder_.get(), signal_numbers, signal_number == SIGKILL ? 1 : 2);
}

void CgroupFolder::KillMembers() {
  killed_ = true;
  if (WriteFileAt(folder_.get(), "cgroup.kill", "1").ok()) return;
  // compat(kernel < 5.14): no cgroup.kill.
  SignalMembers(SIGKILL);
}

Status CgroupFolder::RemoveNested() const {
  UniqueFd again(sys::OpenAt(folder_.get(), ".", O_RDONLY | O_DIRECTORY));
  return RemoveAllIn(std::move(again), name_.c_str(), errno);
}

Status CgroupFolder::Remove() const { return RemoveTree(parent_, name_.c_str()); }

bool CgroupFolder::IsGone() const {
  auto events = ReadEvents();
  return !events.ok() && events.error().number == ENODEV;
}

bool CgroupFolder::End(std::chrono::milliseconds patience) {
  const TimePoint latest = Clock::now() + patience;
  for (auto pause = kFirstEndPause;; pause = std::min(pause * 2, kLongestEndPause)) {
    // First this, since the name may be somebody else's by then.
    if (IsGone()) return true;
    KillMembers();
    if (Remove().ok()) return true;
    if (Clock::now() >= latest) return false;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace quiesce
