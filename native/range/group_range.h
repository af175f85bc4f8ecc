// The process group of the command, which leads a session of its own. A process that leaves the group (setsid, job
// control) is neither seen nor signalled: the weakest range, for hosts that offer nothing better.
#pragma once

#include "os/unique_fd.h"
#include "range/range.h"

namespace quiesce {

class GroupRange : public Range {
 public:
  [[nodiscard]] RangeKind kind() const override { return RangeKind::kGroup; }
  Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) override { return Launch(plan, -1, stack); }
  [[nodiscard]] SpawnStage refusal() const override { return SpawnStage::kClone; }
  void Started(pid_t pid, int pidfd) override;
  [[nodiscard]] int exit_fd() const override { return pidfd_; }
  std::optional<ExitFacts> TakeExit() override { return Reap(pidfd_); }
  void SignalAll(int signal_number) override;
  void KillAll() override;
  Result<bool> IsEmpty() override;
  [[nodiscard]] RangeWatch watch() const override;

 private:
  int SendToGroup(int signal_number);

  pid_t pid_ = -1;
  int pidfd_ = -1;     // borrowed
  UniqueFd survivor_;  // some member that still ran at the last look: while it does, the group is not empty
};

class GroupRangeSource : public RangeSource {
 public:
  Result<std::unique_ptr<Range>> Acquire() override;
  void Release(std::unique_ptr<Range> range) override;
};

}  // namespace quiesce
