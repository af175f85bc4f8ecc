#include "range/cgroup_members.h"

#include <dirent.h>
#include <fcntl.h>
#include <csignal>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "os/file.h"
#include "os/sys.h"
#include "range/cgroup_folder.h"

namespace quiesce {

namespace {

constexpr size_t kBatch = 128;  // bounds the descriptors in use
constexpr int kPasses = 2;      // the second catches who was born during the first

std::vector<pid_t> ReadMembers(int folder) {
  auto text = ReadFileAt(folder, "cgroup.procs");
  if (!text.ok()) return {};  // removed meanwhile, or a threaded folder, whose processes are listed in its domain
  auto pids = ParsePids(text.value());
  std::sort(pids.begin(), pids.end());
  return pids;
}

void SendAll(int pidfd, pid_t pid, const int* signal_numbers, int count) {
  for (int i = 0; i < count; ++i) {
    if (pidfd >= 0) {
      (void)sys::PidfdSendSignal(pidfd, signal_numbers[i]);  // ESRCH: it ended by itself
    } else {
      // compat(pidfd refused by a seccomp filter): by number, just read.
      (void)kill(pid, signal_numbers[i]);
    }
  }
}

void SignalBatch(int folder, std::span<const pid_t> pids, const int* signal_numbers, int count) {
  std::vector<UniqueFd> pidfds;
  pidfds.reserve(pids.size());
  for (const pid_t pid : pids) pidfds.emplace_back(sys::PidfdOpen(pid));
  const std::vector<pid_t> still = ReadMembers(folder);
  for (size_t i = 0; i < pids.size(); ++i) {
    if (std::binary_search(still.begin(), still.end(), pids[i])) {
      SendAll(pidfds[i].get(), pids[i], signal_numbers, count);
    }
  }
}

void SignalOneFolder(int folder, const int* signal_numbers, int count) {
  std::vector<pid_t> signalled;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<pid_t> fresh;
    for (const pid_t pid : ReadMembers(folder)) {
      // 0: a process of another pid namespace, which has no number here.
      if (pid > 0 && !std::binary_search(signalled.begin(), signalled.end(), pid)) fresh.push_back(pid);
    }
    for (size_t at = 0; at < fresh.size(); at += kBatch) {
      const size_t size = std::min(kBatch, fresh.size() - at);
      SignalBatch(folder, std::span(fresh).subspan(at, size), signal_numbers, count);
    }
    signalled.insert(signalled.end(), fresh.begin(), fresh.end());
    std::sort(signalled.begin(), signalled.end());
  }
}

}  // namespace

void SignalCgroupMembers(int folder, const int* signal_numbers, int count) {
  SignalOneFolder(folder, signal_numbers, count);
  UniqueFd own(sys::OpenAt(folder, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(own.get()), closedir);
  if (listing == nullptr) return;
  (void)own.Release();                                    // the listing closes it
  while (const dirent* entry = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    if (entry->d_type != DT_DIR || entry->d_name[0] == '.') continue;
    const UniqueFd nested(sys::OpenAt(folder, entry->d_name, O_RDONLY | O_DIRECTORY));
    if (nested.valid()) SignalCgroupMembers(nested.get(), signal_numbers, count);
  }
}

}  // namespace quiesce
