#include "scope/scope_range.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include "os/sys.h"

namespace quiesce {

namespace {

// A manager that does not answer holds up one command, not each of a hundred.
constexpr std::chrono::milliseconds kRetryPause{1000};
constexpr std::chrono::milliseconds kEndPatience{2000};
constexpr std::chrono::milliseconds kEndPause{1};

}  // namespace

Result<std::shared_ptr<LaunchedRanges>> LaunchedRanges::Start(const LauncherOptions& options) {
  auto launcher = Launcher::Start(options);
  if (!launcher.ok()) return launcher.error();
  UniqueFd run = launcher.value()->TakeRun();
  UniqueFd copy(fcntl(run.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy.valid()) return SysError{errno, "fcntl", {}};
  auto folder = CgroupFolder::Adopt(std::move(run), launcher.value()->unit() + "/run");
  if (!folder.ok()) return folder.error();
  return std::shared_ptr<LaunchedRanges>(
      new LaunchedRanges(std::move(launcher.value()), std::move(folder.value()), std::move(copy)));
}

UniqueFd LaunchedRanges::CopyRun() const { return UniqueFd(fcntl(run_copy_.get(), F_DUPFD_CLOEXEC, 0)); }

std::unique_ptr<Range> LaunchedRanges::MakeRange(std::unique_ptr<CgroupFolder> folder) {
  return std::make_unique<ScopeRange>(std::move(folder), shared_from_this());
}

void LaunchedRanges::Release(std::unique_ptr<Range> range) {
  if (!launcher_->IsAlive()) StopRemoving();
  CgroupRangeSource::Release(std::move(range));
}

void LaunchedRanges::Spare() {
  if (!launcher_->IsAlive()) StopRemoving();
  CgroupRangeSource::Spare();
}

void LaunchedRanges::Close() {
  StopRemoving();
  launcher_->End();
  CgroupRangeSource::Close();
}

Result<ClonedChild> ScopeRange::Start(ChildPlan* plan, const ChildStack& /*stack*/) {
  pid_t unreported = 0;
  auto started = source_->launcher().StartChild(plan, folder(), &unreported);
  if (!started.ok() && unreported > 0) EndUnreported(unreported);
  return started;
}

// It is a child of this process, so its number is its own until it is reaped here.
void ScopeRange::EndUnreported(pid_t pid) {
  const TimePoint latest = Clock::now() + kEndPatience;
  while (Clock::now() < latest) {
    KillAll();
    siginfo_t info{};
    const auto reap = [&] { return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG); };
    // ECHILD: the kernel reaps for a host that ignores SIGCHLD, or it was never there.
    if (sys::RetryInterrupted(reap) == -1 || info.si_pid == pid) return;
    (void)kill(pid, SIGKILL);  // compat(kernel < 5.7): not in its folder yet
    std::this_thread::sleep_for(kEndPause);
  }
}

ScopeRangeSource::Ranges ScopeRangeSource::UsableRanges() {
  const std::lock_guard lock(mutex_);
  return current_ != nullptr && current_->launcher().IsUsable() ? current_ : nullptr;
}

Result<ScopeRangeSource::Ranges> ScopeRangeSource::CurrentRanges() {
  if (Ranges usable = UsableRanges()) return usable;
  const std::lock_guard starting(starting_mutex_);
  if (Ranges usable = UsableRanges()) return usable;  // somebody else has just started it
  Retire();
  if (Clock::now() < retry_at_) return last_failure_;
  auto started = LaunchedRanges::Start(options_);
  // It may have been killed on its way, and a manager may be just restarting.
  if (!started.ok() && started.error().number == ECONNREFUSED) started = LaunchedRanges::Start(options_);
  if (!started.ok()) {
    last_failure_ = started.error();
    if (last_failure_.number == ETIMEDOUT) retry_at_ = Clock::now() + kRetryPause;
    return last_failure_;
  }
  Instruct(started.value());
  const std::lock_guard lock(mutex_);
  current_ = started.value();
  return started;
}

// The one in use becomes an earlier one; earlier ones that hold nothing any more go.
void ScopeRangeSource::Retire() {
  std::vector<Ranges> over;  // destroyed after the lock
  const std::lock_guard lock(mutex_);
  if (current_ != nullptr) earlier_.push_back(std::move(current_));
  current_ = nullptr;
  std::erase_if(earlier_, [&](Ranges& ranges) {
    if (ranges.use_count() > 1) return false;
    over.push_back(std::move(ranges));
    return true;
  });
}

void ScopeRangeSource::Instruct(const Ranges& fresh) {
  Launcher& launcher = fresh->launcher();
  if (!spill_folder_.empty()) launcher.Tell(ControlKind::kRemove, spill_folder_);
  const std::lock_guard lock(mutex_);
  for (const Ranges& ranges : earlier_) {
    if (const UniqueFd run = ranges->CopyRun(); run.valid()) launcher.Tell(ControlKind::kAdopt, {}, run.get());
  }
}

Result<std::unique_ptr<Range>> ScopeRangeSource::Acquire() {
  for (int attempt = 1;; ++attempt) {
    auto ranges = CurrentRanges();
    if (!ranges.ok()) return ranges.error();
    auto range = ranges.value()->Acquire();
    const bool gone = !range.ok() && (range.error().number == ENOENT || range.error().number == ENODEV);
    if (!gone || attempt == 2) return range;
    // The launcher is just ending, or somebody has removed what it has made.
    ranges.value()->launcher().GiveUp();
  }
}

RangeSource::Limited ScopeRangeSource::AcquireLimited(const RangeLimits& limits) {
  auto ranges = CurrentRanges();
  if (!ranges.ok()) return SpawnFailure{SpawnStage::kRange, ranges.error().number, ranges.error().path};
  return ranges.value()->AcquireLimited(limits);
}

void ScopeRangeSource::Release(std::unique_ptr<Range> range) {
  const Ranges source = static_cast<ScopeRange&>(*range).source();
  source->Release(std::move(range));
}

void ScopeRangeSource::Spare() {
  if (const Ranges usable = UsableRanges()) usable->Spare();
}

void ScopeRangeSource::KillAll() {
  const std::lock_guard lock(mutex_);
  if (current_ != nullptr) current_->KillAll();
  for (const Ranges& ranges : earlier_) ranges->KillAll();
}

void ScopeRangeSource::Close() {
  std::vector<Ranges> all;
  {
    const std::lock_guard lock(mutex_);
    all = std::move(earlier_);
    earlier_.clear();
    if (current_ != nullptr) all.push_back(std::move(current_));
    current_ = nullptr;
  }
  for (const Ranges& ranges : all) ranges->Close();
}

}  // namespace quiesce
