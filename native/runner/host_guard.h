// What a guardian knows and does: it waits for the end of its host, whatever that is, then kills and removes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "guardian/message.h"
#include "os/unique_fd.h"
#include "range/cgroup_folder.h"

namespace quiesce {

class HostGuard {
 public:
  explicit HostGuard(UniqueFd socket) : socket_(std::move(socket)) {}

  // Returns when there is nothing left to guard, be it that the host has ended or that it has removed everything.
  void Run();

 private:
  struct Guarded {
    UniqueFd parent;
    CgroupFolder folder;
  };

  [[nodiscard]] bool WaitForHost();
  [[nodiscard]] bool Listen();
  void Learn(GuardianMessage message);
  [[nodiscard]] bool HasCharges() const;
  void EndAll();

  UniqueFd socket_;  // invalid: nobody is at its other end
  UniqueFd host_;
  std::vector<Guarded> folders_;
  std::vector<std::string> spill_folders_;
};

}  // namespace quiesce
