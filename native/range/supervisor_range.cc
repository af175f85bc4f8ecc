#include "range/supervisor_range.h"

#include <poll.h>
#include <sys/epoll.h>

#include <cerrno>
#include <csignal>

#include "os/sys.h"
#include "range/supervised_plan.h"

namespace quiesce {

namespace {

constexpr double kMillisInMicro = 1e-3;

SpawnStage StageOf(supervisor::FailedStep step) {
  switch (step) {
    case supervisor::FailedStep::kClone:
      return SpawnStage::kClone;
    case supervisor::FailedStep::kExec:
      return SpawnStage::kExec;
    case supervisor::FailedStep::kTerminal:
      return SpawnStage::kStdio;
    default:
      return SpawnStage::kRange;
  }
}

ExitFacts FactsOf(const supervisor::Report& report) {
  ExitFacts facts;
  if (WIFSIGNALED(report.status)) {
    facts.signal_number = WTERMSIG(report.status);
  } else {
    facts.exit_code = WEXITSTATUS(report.status);
  }
  facts.user_ms = static_cast<double>(report.user_us) * kMillisInMicro;
  facts.system_ms = static_cast<double>(report.system_us) * kMillisInMicro;
  facts.max_rss_bytes = static_cast<uint64_t>(report.max_rss_kib) * 1024;  // getrusage counts kilobytes
  return facts;
}

bool HasEnded(int pidfd) {
  pollfd entry{pidfd, POLLIN, 0};
  return sys::RetryInterrupted([&] { return poll(&entry, 1, 0); }) == 1;
}

}  // namespace

Status SupervisorRange::Open(UniqueFd* channel) {
  auto opened = SupervisorChannel::Open(channel);
  if (!opened.ok()) return opened.error();
  auto events = Epoll::Create();
  if (!events.ok()) return events.error();
  channel_.emplace(std::move(opened.value()));
  events_.emplace(std::move(events.value()));
  return events_->Add(channel_->fd(), EPOLLIN, 0);
}

Result<ClonedChild> SupervisorRange::Start(ChildPlan* plan, const ChildStack& stack) {
  UniqueFd channel;
  if (Status opened = Open(&channel); !opened.ok()) return opened.error();
  SupervisedPlan supervised(*plan, *program_, channel.get());
  auto child = Launch(supervised.plan(), /*cgroup=*/-1, stack);
  if (!child.ok()) return child.error();
  channel.Reset();
  supervisor_ = std::move(child.value().pidfd);
  const SpawnStage failed = supervised.plan()->failed_stage;
  const int error = supervised.plan()->failed_errno;
  if (failed != SpawnStage::kNone) {
    EndStart();
    // Too long for the supervisor is too long for the command.
    if (failed == SpawnStage::kExec && error != E2BIG) return SysError{error, "execveat", "quiesce-supervisor"};
    plan->failed_step = supervised.plan()->failed_step;
    plan->failed_limit = supervised.plan()->failed_limit;
    plan->failed_errno = error;
    plan->failed_stage = failed;
    return ClonedChild{};
  }
  auto report = channel_->AwaitStart(&command_);
  if (!report.ok() || report.value().kind != supervisor::ReportKind::kStarted) EndStart();
  if (!report.ok()) return report.error();
  if (report.value().kind != supervisor::ReportKind::kStarted) {
    plan->failed_errno = report.value().error;
    plan->failed_stage = StageOf(report.value().step);
    return ClonedChild{};
  }
  if (Status watched = events_->Add(supervisor_.get(), EPOLLIN, 0); !watched.ok()) {
    EndStart();
    return watched.error();
  }
  pid_ = report.value().pid;
  return ClonedChild{pid_, UniqueFd()};
}

// Waits for a supervisor that has failed, or is to end what it has just started.
void SupervisorRange::EndStart() {
  channel_->Send(SIGKILL);
  siginfo_t info{};
  (void)sys::WaitPidfd(supervisor_.get(), &info, WEXITED, nullptr);  // ECHILD: the kernel has reaped it
  supervisor_.Reset();
  command_.Reset();
}

void SupervisorRange::Take(const supervisor::Report& report) {
  if (report.kind == supervisor::ReportKind::kEnded && !exit_.has_value()) exit_ = FactsOf(report);
  empty_ = report.kind == supervisor::ReportKind::kEmpty || report.empty != 0;
}

bool SupervisorRange::HasSupervisorEnded() {
  siginfo_t info{};
  if (sys::WaitPidfd(supervisor_.get(), &info, WEXITED | WNOHANG, nullptr) == -1) return HasEnded(supervisor_.get());
  return info.si_pid != 0;
}

void SupervisorRange::Listen() {
  if (supervisor_ended_) return;
  // First: what it has sent before its end must be read after it.
  supervisor_ended_ = HasSupervisorEnded();
  while (hears_) {
    supervisor::Report report;
    const auto received = channel_->Receive(&report);
    if (received == SupervisorChannel::Received::kNothing) break;
    if (received == SupervisorChannel::Received::kReport) Take(report);
    hears_ = received == SupervisorChannel::Received::kReport && !empty_;
  }
  // Its end is all that is still waited for; a socket that is closed would stay ready.
  if (!hears_) events_->Remove(channel_->fd());
  if (supervisor_ended_ && !empty_) Lose();
}

// The kernel has killed the command when it killed the supervisor; the rest of the group goes the same way.
void SupervisorRange::Lose() {
  lost_ = true;
  events_->Remove(channel_->fd());
  events_->Remove(supervisor_.get());
  // Without it the command counts as ended, as little as is known of it.
  (void)events_->Add(command_.get(), EPOLLIN, 0);
  group_.Started(pid_, command_.get());
  group_.KillAll();
}

std::optional<ExitFacts> SupervisorRange::TakeExit() {
  Listen();
  if (exit_.has_value()) {
    // With nobody left the supervisor ends at once, and is reaped before anybody is told.
    return !empty_ || supervisor_ended_ ? exit_ : std::nullopt;
  }
  if (!lost_ || !HasEnded(command_.get())) return std::nullopt;
  // Whoever is its parent now may have reaped it already; then the kernel may still tell how it ended.
  return Reap(command_.get()).value_or(ExitFacts{});
}

void SupervisorRange::SignalAll(int signal_number) {
  if (lost_) return group_.SignalAll(signal_number);
  channel_->Send(signal_number);
  // A command may have stopped it.
  (void)sys::PidfdSendSignal(supervisor_.get(), SIGCONT);
}

Result<bool> SupervisorRange::IsEmpty() {
  Listen();
  if (!lost_) return supervisor_ended_;
  if (loss_told_) return group_.IsEmpty();
  loss_told_ = true;
  return SysError{ESRCH, "supervisor", {}};
}

RangeWatch SupervisorRange::watch() const { return lost_ ? group_.watch() : RangeWatch{events_->fd(), EPOLLIN}; }

Result<std::unique_ptr<Range>> SupervisorRangeSource::Acquire() {
  const std::lock_guard lock(mutex_);
  if (program_ == nullptr) {
    auto program = SupervisorProgram::Open(path_, host_crash_);
    if (!program.ok()) return program.error();
    program_ = std::make_shared<const SupervisorProgram>(std::move(program.value()));
  }
  return std::unique_ptr<Range>(new SupervisorRange(program_));
}

void SupervisorRangeSource::Close() {
  const std::lock_guard lock(mutex_);
  program_.reset();
}

}  // namespace quiesce
