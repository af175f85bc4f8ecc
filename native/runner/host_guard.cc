#include "runner/host_guard.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "os/sys.h"
#include "output/spill_leftovers.h"

namespace quiesce {

namespace {

// A killed process may take its time to go, where the kernel waits for a disk.
constexpr std::chrono::milliseconds kPatience{10000};
// How often it looks whether a host that has closed the socket has removed everything.
constexpr int kLookMs = 100;

}  // namespace

void HostGuard::Run() {
  if (WaitForHost()) EndAll();
}

// False if there is nothing to be done after all. A host that closes its socket lives on, or its end is only a moment
// away: the kernel closes the descriptors of a process before it tells of its end.
bool HostGuard::WaitForHost() {
  while (true) {
    std::array<pollfd, 2> entries{pollfd{socket_.get(), POLLIN, 0}, pollfd{host_.get(), POLLIN, 0}};
    const int patience = socket_.valid() ? -1 : kLookMs;
    (void)sys::RetryInterrupted([&] { return poll(entries.data(), entries.size(), patience); });
    if (socket_.valid() && entries[0].revents != 0 && !Listen()) socket_.Reset();
    if (entries[1].revents != 0) return true;
    if (socket_.valid()) continue;
    // compat(kernel < 5.3, or pidfd_open refused by a seccomp filter): the socket alone tells.
    if (!host_.valid()) return true;
    if (!HasCharges()) return false;
  }
}

// Takes what has come; false at the end of the socket.
bool HostGuard::Listen() {
  while (true) {
    auto message = ReceiveFromHost(socket_.get());
    if (!message.ok()) return message.error().number == EAGAIN;
    Learn(std::move(message.value()));
  }
}

void HostGuard::Learn(GuardianMessage message) {
  auto& descriptors = message.descriptors;
  switch (message.kind) {
    case GuardianMessageKind::kHost:
      if (!descriptors.empty()) host_ = std::move(descriptors[0]);
      break;
    case GuardianMessageKind::kFolder: {
      if (descriptors.size() != 2) break;
      const int parent = descriptors[0].get();
      auto folder = CgroupFolder::Open(parent, std::move(message.text), std::move(descriptors[1]));
      if (folder.ok()) folders_.push_back({std::move(descriptors[0]), std::move(folder.value())});
      break;
    }
    case GuardianMessageKind::kSpillFolder:
      spill_folders_.push_back(std::move(message.text));
      break;
  }
}

bool HostGuard::HasCharges() const {
  return std::any_of(folders_.begin(), folders_.end(), [](const auto& one) { return !one.folder.IsGone(); }) ||
         std::any_of(spill_folders_.begin(), spill_folders_.end(),
                     [](const auto& path) { return HasSpillOwner(path.c_str()); });
}

void HostGuard::EndAll() {
  for (Guarded& guarded : folders_) guarded.folder.KillMembers();
  for (const std::string& path : spill_folders_) RemoveSpillLeftovers(path.c_str());
  for (Guarded& guarded : folders_) (void)guarded.folder.End(kPatience);  // nobody is there to be told
}

}  // namespace quiesce
