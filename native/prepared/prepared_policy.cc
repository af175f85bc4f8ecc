#include "prepared/prepared_policy.h"

#include <fcntl.h>
#include <poll.h>

#include <array>
#include <cerrno>

#include "os/sys.h"

namespace quiesce {

Result<HostView> ReadHostView(const PolicyOrder& order) {
  HostView view;
  auto host = ReadHostIdentity();
  if (!host.ok()) return host.error();
  view.host = host.value();
  view.mount_table.Reset(sys::OpenAt(AT_FDCWD, "/proc/self/mountinfo", O_RDONLY));
  if (!view.mount_table.valid()) return SysError{errno, "open", "/proc/self/mountinfo"};
  for (const std::string& path : order.hidden) {
    auto identity = ReadPathIdentity(path);
    if (!identity.ok()) return identity.error();
    view.hidden.push_back(identity.value());
  }
  return view;
}

Result<std::unique_ptr<PreparedPolicy>> PreparedPolicy::Assemble(PolicyOrder order, HostView view, Reply reply) {
  std::unique_ptr<PreparedPolicy> policy(new PreparedPolicy(std::move(order), std::move(view), std::move(reply)));
  if (Status filled = policy->FillConfinement(); !filled.ok()) return filled.error();
  return policy;
}

Status PreparedPolicy::FillConfinement() {
  for (const ReplyRoot& root : reply_.roots) {
    if (root.argument >= order_.writable.size()) return SysError{EPROTO, "prepare", {}};
    roots_.push_back({order_.writable[root.argument].c_str(), root.inode, root.mount});
  }
  dropped_capabilities_ = CapabilitiesToDrop(view_.host);
  confinement_.user_namespace = reply_.descriptors[kReplyUser].get();
  confinement_.network_namespace = reply_.descriptors[kReplyNetwork].get();
  confinement_.ipc_namespace = reply_.descriptors[kReplyIpc].get();
  confinement_.mount_namespace = reply_.descriptors[kReplyMount].get();
  confinement_.ruleset = reply_.descriptors[kReplyRuleset].get();
  confinement_.roots = roots_.data();
  confinement_.root_count = roots_.size();
  confinement_.dropped_capabilities = dropped_capabilities_.data();
  confinement_.dropped_capability_count = dropped_capabilities_.size();
  return {};
}

bool PreparedPolicy::IsFresh() {
  // An event of a mount table is told once only, so whoever takes it says so before anybody else may look.
  const std::lock_guard lock(mutex_);
  if (!stale_) stale_ = MountsChanged() || !LooksTheSame();
  return !stale_;
}

bool PreparedPolicy::MountsChanged() const {
  std::array<pollfd, 2> tables{pollfd{view_.mount_table.get(), POLLPRI, 0},
                               pollfd{reply_.descriptors[kReplyMountTable].get(), POLLPRI, 0}};
  // A poll that fails tells nothing, and so proves nothing.
  if (sys::RetryInterrupted([&] { return poll(tables.data(), tables.size(), 0); }) == -1) return true;
  for (const pollfd& table : tables) {
    if ((table.revents & (POLLPRI | POLLERR | POLLNVAL)) != 0) return true;
  }
  return false;
}

bool PreparedPolicy::LooksTheSame() const {
  auto host = ReadHostIdentity();
  if (!host.ok() || host.value() != view_.host) return false;
  for (const ReplyRoot& root : reply_.roots) {
    auto now = ReadPathIdentity(order_.writable[root.argument]);
    const PathIdentity prepared{true, root.device_major, root.device_minor, root.inode};
    if (!now.ok() || now.value() != prepared) return false;
  }
  for (size_t i = 0; i < view_.hidden.size(); ++i) {
    auto now = ReadPathIdentity(order_.hidden[i]);
    if (!now.ok() || now.value() != view_.hidden[i]) return false;
  }
  return true;
}

}  // namespace quiesce
