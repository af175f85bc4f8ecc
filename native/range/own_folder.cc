#include "range/own_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <vector>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr std::string_view kPrefix = "quiesce-";
constexpr std::string_view kEndSuffix = "-end";
constexpr std::string_view kLeaveSuffix = "-leave";
constexpr int kMostAttempts = 1000;
constexpr std::chrono::milliseconds kSweepPatience{200};

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The number of a process and one that tells its folders apart.
bool IsNumberPair(std::string_view text) {
  const size_t dash = text.find('-');
  return dash != std::string_view::npos && IsNumber(text.substr(0, dash)) && IsNumber(text.substr(dash + 1));
}

bool Lock(int folder) {
  return sys::RetryInterrupted([&] { return flock(folder, LOCK_EX | LOCK_NB); }) == 0;
}

void Sweep(int parent, const std::string& name) {
  UniqueFd fd(sys::OpenAt(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  struct stat facts {};
  if (!fd.valid() || fstat(fd.get(), &facts) == -1 || facts.st_uid != geteuid() || !Lock(fd.get())) return;
  auto folder = CgroupFolder::Open(parent, name, std::move(fd));
  if (!folder.ok()) return;
  if (ReadOwnFolderName(name) == HostCrash::kEnd) {
    (void)folder.value().End(kSweepPatience);  // what cannot be ended now is left to the next sweep
    return;
  }
  auto events = folder.value().ReadEvents();
  if (events.ok() && !events.value().populated) (void)folder.value().Remove();  // somebody moved into it just now
}

std::vector<std::string> NamesIn(int parent) {
  std::vector<std::string> names;
  UniqueFd own(sys::OpenAt(parent, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(own.get()), closedir);
  if (listing == nullptr) return names;
  (void)own.Release();                                    // the listing closes it
  while (const dirent* entry = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    if (ReadOwnFolderName(entry->d_name).has_value()) names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

std::string OwnFolderName(unsigned number, HostCrash host_crash) {
  std::string name(kPrefix);
  name.append(std::to_string(getpid())).append("-").append(std::to_string(number));
  return name.append(host_crash == HostCrash::kEnd ? kEndSuffix : kLeaveSuffix);
}

std::optional<HostCrash> ReadOwnFolderName(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  for (const HostCrash choice : {HostCrash::kEnd, HostCrash::kLeave}) {
    const std::string_view suffix = choice == HostCrash::kEnd ? kEndSuffix : kLeaveSuffix;
    if (name.ends_with(suffix) && IsNumberPair(name.substr(0, name.size() - suffix.size()))) return choice;
  }
  return std::nullopt;
}

// A number may be taken: another copy of this library in the process counts for itself, and so does a host of the same
// number in another namespace. And between its making and its locking a sweep may take a folder for ownerless.
Result<CgroupFolder> MakeOwnFolder(int parent, unsigned (*number)(), HostCrash host_crash) {
  for (int attempt = 1;; ++attempt) {
    auto made = CgroupFolder::Create(parent, OwnFolderName(number(), host_crash));
    const bool last = attempt == kMostAttempts;
    if (!made.ok()) {
      const SysError& error = made.error();
      const bool swept = error.number == ENOENT && std::string_view(error.syscall) == "open";
      if (last || (error.number != EEXIST && !swept)) return made;
      continue;
    }
    if (Lock(made.value().fd())) {
      if (last || !made.value().IsGone()) return made;
    } else {
      const int error = errno;
      if (!last && error == EWOULDBLOCK) continue;
      (void)made.value().Remove();  // the first error is the one to tell
      return SysError{error, "flock", made.value().name()};
    }
  }
}

void SweepOwnFolders(int parent) {
  for (const std::string& name : NamesIn(parent)) Sweep(parent, name);
}

}  // namespace quiesce
