// The confinement of one policy, built once: its descriptors, and what tells that the host no longer looks as it did
// then. Destroying it may tear a tree of mounts down, which takes up to some milliseconds.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"
#include "prepared/host_identity.h"
#include "prepared/policy_order.h"
#include "prepared/reply_reader.h"
#include "spawn/confinement.h"

namespace quiesce {

// The host before the preparation: what changes during it counts as changed.
struct HostView {
  HostIdentity host;
  UniqueFd mount_table;  // mountinfo: POLLPRI when a mount of the host comes or goes
  std::vector<PathIdentity> hidden;
};

Result<HostView> ReadHostView(const PolicyOrder& order);

class PreparedPolicy {
 public:
  // EPROTO: `reply` does not belong to `order`.
  static Result<std::unique_ptr<PreparedPolicy>> Assemble(PolicyOrder order, HostView view, Reply reply);

  PreparedPolicy(const PreparedPolicy&) = delete;
  PreparedPolicy& operator=(const PreparedPolicy&) = delete;
  ~PreparedPolicy() = default;

  // For the child; valid as long as the policy.
  [[nodiscard]] const ChildConfinement& confinement() const { return confinement_; }

  // Any thread. Once false, always false. One stat for each writable root and each hidden path.
  [[nodiscard]] bool IsFresh();

 private:
  PreparedPolicy(PolicyOrder order, HostView view, Reply reply)
      : order_(std::move(order)), view_(std::move(view)), reply_(std::move(reply)) {}

  [[nodiscard]] Status FillConfinement();
  [[nodiscard]] bool MountsChanged() const;
  [[nodiscard]] bool LooksTheSame() const;

  const PolicyOrder order_;
  const HostView view_;
  const Reply reply_;
  std::vector<ConfinedRoot> roots_;
  std::vector<uint8_t> dropped_capabilities_;
  ChildConfinement confinement_;
  std::mutex mutex_;
  bool stale_ = false;
};

}  // namespace quiesce
