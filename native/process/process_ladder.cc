// Ending a process: the ladder of TERM, grace and KILL, and the deadline that starts it.
#include "process/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "os/sys.h"
#include "process/process_tags.h"
#include "terminal/hang_up.h"

namespace quiesce {

namespace {

// KILL is repeated until the range is empty, ever more rarely.
constexpr std::chrono::milliseconds kKillPause{50};
constexpr int kKillDoublings = 5;
// Time for KILL itself, however short the grace for the command: on a busy machine the kernel needs it to take down
// what is big, or many.
constexpr std::chrono::milliseconds kLeastKillTime{1000};

}  // namespace

void Process::Terminate(Cause cause) {
  if (failed_ || quiescent_) return;
  // Its end may be among the events of this very turn.
  if (adopted_) OnExit();
  if (quiescent_) return;
  Cause none = Cause::kNone;
  // Only the first one counts, and a command that has exited was ended by nobody.
  if (!exit_.has_value()) (void)cause_.compare_exchange_strong(none, cause);
  if (!adopted_) {
    ladder_wanted_ = true;
    end_wanted_.store(true);
    return;
  }
  EnterTerminating();
}

void Process::Kill() {
  if (failed_ || quiescent_) return;
  if (!adopted_) {
    kill_wanted_ = true;
    end_wanted_.store(true);
    return;
  }
  EnterKilling();
}

void Process::EnterTerminating() {
  if (ladder_ != Ladder::kIdle || quiescent_) return;
  ladder_ = Ladder::kTerminating;
  range_checks_ = 0;
  range_->SignalAll(SIGTERM);
  SignalDirect(SIGTERM);
  if (terminal_ != nullptr) HangUp();
  SetTimer(&ladder_timer_, After(Clock::now(), request_.grace), kLadderTimer);
}

void Process::EnterKilling() {
  if (quiescent_) return;
  if (ladder_ != Ladder::kKilling) {
    ladder_ = Ladder::kKilling;
    kill_rounds_ = 0;
    range_checks_ = 0;
    SetTimer(&unkillable_timer_, After(Clock::now(), std::max<Millis>(request_.grace, kLeastKillTime)),
             kUnkillableTimer);
  }
  range_->KillAll();
  SignalDirect(SIGKILL);
  CheckRange();
  if (quiescent_) return;
  const auto pause = kKillPause * (1 << std::min(kill_rounds_++, kKillDoublings));
  SetTimer(&ladder_timer_, Clock::now() + pause, kLadderTimer);
}

// The direct command may have left its range, or have been moved out of it (systemd-run --scope, cgexec). What is still
// inside has got the signal already, and a handler must not run twice.
void Process::SignalDirect(int signal_number) {
  if (exit_.has_value() || !pidfd_.valid()) return;
  if (signal_number != SIGKILL) {
    auto empty = range_->IsEmpty();
    if (!empty.ok() || !empty.value()) return;
  }
  if (sys::PidfdSendSignal(pidfd_.get(), signal_number) == -1 && errno == EPERM) {
    // compat(pidfd refused by a seccomp filter): by number, which is ours until we reap it.
    (void)kill(pid(), signal_number);
  }
  if (signal_number != SIGKILL) (void)sys::PidfdSendSignal(pidfd_.get(), SIGCONT);
}

void Process::HangUp() {
  if (exit_.has_value() || !IgnoresTerm(pid())) return;
  if (pidfd_.valid()) {
    (void)sys::PidfdSendSignal(pidfd_.get(), SIGHUP);
  } else {
    range_->SignalAll(SIGHUP);  // only whoever started it may signal it alone
  }
}

void Process::OnDeadline() {
  OnExit();  // its end may be among the events of this very turn
  if (settled_) return;
  if (!exit_.has_value()) {
    Terminate(Cause::kDeadline);
    return;
  }
  // It ended in time by itself; only somebody who holds its streams has kept the result back.
  drain_over_ = true;
  TrySettle();
}

}  // namespace quiesce
