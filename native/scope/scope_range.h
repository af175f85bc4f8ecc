// Cgroup folders in a systemd scope that the manager of the user has delegated to us, for hosts that may not make such
// folders where they are. Only a process inside the scope may start others there, so a launcher does: one for each
// source, replaced when it is lost. While it lives folders are removed here; after its death never, since systemd
// removes the scope as soon as it is empty, and a removal beside that one can leave a folder that nobody owns.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "os/clock.h"
#include "range/cgroup_range.h"
#include "scope/launcher.h"

namespace quiesce {

// The ranges of one launcher.
class LaunchedRanges : public CgroupRangeSource, public std::enable_shared_from_this<LaunchedRanges> {
 public:
  static Result<std::shared_ptr<LaunchedRanges>> Start(const LauncherOptions& options);
  ~LaunchedRanges() override { LaunchedRanges::Close(); }

  Launcher& launcher() { return *launcher_; }
  // Another handle on the folder of the commands, for the launcher that comes after this one.
  [[nodiscard]] UniqueFd CopyRun() const;
  void Release(std::unique_ptr<Range> range) override;
  void Spare() override;
  // Ends the launcher, which removes what is left.
  void Close() override;

 protected:
  std::unique_ptr<Range> MakeRange(std::unique_ptr<CgroupFolder> folder) override;

 private:
  LaunchedRanges(std::unique_ptr<Launcher> launcher, CgroupFolder run, UniqueFd run_copy)
      : CgroupRangeSource(std::move(run), launcher->unit() + "/run"),
        launcher_(std::move(launcher)),
        run_copy_(std::move(run_copy)) {}

  const std::unique_ptr<Launcher> launcher_;
  const UniqueFd run_copy_;
};

class ScopeRange : public CgroupRange {
 public:
  ScopeRange(std::unique_ptr<CgroupFolder> folder, std::shared_ptr<LaunchedRanges> source)
      : CgroupRange(std::move(folder)), source_(std::move(source)) {}

  Result<ClonedChild> Start(ChildPlan* plan, const ChildStack& stack) override;

  [[nodiscard]] bool shares_memory() const override { return false; }

  [[nodiscard]] const std::shared_ptr<LaunchedRanges>& source() const { return source_; }

 private:
  void EndUnreported(pid_t pid);

  const std::shared_ptr<LaunchedRanges> source_;
};

class ScopeRangeSource : public RangeSource {
 public:
  // `spill_folder` is removed by the launcher when the host is killed. Nothing is started before the first Acquire.
  ScopeRangeSource(LauncherOptions options, std::string spill_folder)
      : options_(std::move(options)), spill_folder_(std::move(spill_folder)) {}
  ~ScopeRangeSource() override { Close(); }

  // Starts a launcher where there is none that can be used: blocks for some 20 ms then.
  Result<std::unique_ptr<Range>> Acquire() override;
  Limited AcquireLimited(const RangeLimits& limits) override;
  void Release(std::unique_ptr<Range> range) override;
  void Spare() override;
  void KillAll() override;
  void Close() override;

 private:
  using Ranges = std::shared_ptr<LaunchedRanges>;

  [[nodiscard]] Ranges UsableRanges();
  Result<Ranges> CurrentRanges();
  void Instruct(const Ranges& fresh);
  void Retire();

  LauncherOptions options_;
  const std::string spill_folder_;
  std::mutex starting_mutex_;  // one launcher is started at a time; before mutex_
  TimePoint retry_at_ = TimePoint::min();
  SysError last_failure_;
  std::mutex mutex_;
  Ranges current_;
  std::vector<Ranges> earlier_;  // commands may still run in theirs
};

}  // namespace quiesce
