// A cgroup v2 folder of its own for each command: contains everything, whatever it does. Folders are reused: making and
// removing one costs more than everything else that a range does, and an empty folder without traces is as good as new.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "range/cgroup_folder.h"
#include "range/own_folder.h"
#include "range/range.h"

namespace quiesce {

class CgroupRange : public Range {
 public:
  explicit CgroupRange(std::unique_ptr<CgroupFolder> folder) : folder_(std::move(folder)) {}

  [[nodiscard]] RangeKind kind() const override { return RangeKind::kCgroup; }
  Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) override;
  void Started(pid_t pid, int pidfd) override;
  [[nodiscard]] int exit_fd() const override { return pidfd_; }
  std::optional<ExitFacts> TakeExit() override { return Reap(pidfd_); }
  void SignalAll(int signal_number) override { folder_->SignalMembers(signal_number); }
  void KillAll() override { folder_->KillMembers(); }
  Result<bool> IsEmpty() override;
  TreeUsage ReadUsage() override;
  [[nodiscard]] RangeWatch watch() const override;

  std::unique_ptr<CgroupFolder> TakeFolder();

 protected:
  [[nodiscard]] int folder() const { return folder_->fd(); }

 private:
  std::unique_ptr<CgroupFolder> folder_;
  int pidfd_ = -1;  // borrowed
  bool counted_ = false;
};

// Owns one folder below `parent`, in which the folders of the commands are, or is lent one.
class CgroupRangeSource : public RangeSource {
 public:
  // `parent` is the path of a cgroup v2 folder that this process may write to. Nothing is made before the first
  // Acquire, which fails with ENOTSUP of fstatfs where it is no such folder.
  explicit CgroupRangeSource(std::string parent, HostCrash host_crash = HostCrash::kEnd)
      : parent_path_(std::move(parent)), host_crash_(host_crash) {}
  // The folders of the commands are directly in `lent`, which somebody else removes. `name` is for messages.
  CgroupRangeSource(CgroupFolder lent, std::string name);
  ~CgroupRangeSource() override { Close(); }

  Result<std::unique_ptr<Range>> Acquire() override;
  // In a folder of its own, with the controllers handed down from `parent` on where they are not yet.
  Limited AcquireLimited(const RangeLimits& limits) override;
  void Release(std::unique_ptr<Range> range) override;
  void Spare() override;
  void KillAll() override;
  std::optional<HeldFolder> Held() override;
  [[nodiscard]] unsigned held_version() const override { return own_count_.load(std::memory_order_relaxed); }
  void Sweep() override;
  void Close() override;

 protected:
  virtual std::unique_ptr<Range> MakeRange(std::unique_ptr<CgroupFolder> folder) {
    return std::make_unique<CgroupRange>(std::move(folder));
  }

  // From now on folders are only forgotten: somebody else removes them.
  void StopRemoving();

 private:
  [[nodiscard]] Status Open();
  void ThawOwn();
  Result<CgroupFolder> CreateForCommand();
  Result<std::unique_ptr<CgroupFolder>> CreateBelowOwn();
  [[nodiscard]] std::optional<SpawnFailure> Hold(CgroupFolder* folder, const RangeLimits& limits);
  void Discard(std::unique_ptr<CgroupFolder> folder);

  const std::string parent_path_;
  const bool lent_ = false;
  const HostCrash host_crash_;
  std::atomic<unsigned> own_count_{0};
  std::mutex mutex_;
  UniqueFd parent_;
  UniqueFd own_freeze_;
  std::string own_name_;
  std::optional<CgroupFolder> own_;
  std::vector<CgroupFolder> lost_;  // own ones that a stranger removed; folders of commands may still name them
  std::vector<std::unique_ptr<CgroupFolder>> idle_;
  std::vector<std::unique_ptr<CgroupFolder>> busy_;  // could not be removed yet
  unsigned made_count_ = 0;
  bool removes_ = true;
};

}  // namespace quiesce
