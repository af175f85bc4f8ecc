#include "supervisor/supervise.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include <cstdint>

#include "supervisor/arguments.h"
#include "supervisor/channel.h"
#include "supervisor/command.h"
#include "supervisor/raw_calls.h"
#include "supervisor/supervision.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace quiesce::supervisor {

namespace {

constexpr int kMisused = 125;

// SIGKILL and SIGSTOP excepted, nothing that a command sends around ends whoever holds it. The signals stay blocked:
// one that is ignored would be ignored by the command as well.
int BlockSignals() {
  const uint64_t all = ~uint64_t{0};
  return static_cast<int>(Call(SYS_rt_sigprocmask, SIG_SETMASK, &all, nullptr, sizeof all));
}

// 0, or the error of the first step that failed.
int BecomeSupervisor() {
  (void)Call(SYS_prctl, PR_SET_NAME, "quiesce-supervisor", 0, 0, 0);
  // Not to be traced by what it holds.
  (void)Call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  const Word set = Call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  return static_cast<int>(set < 0 ? -set : -BlockSignals());
}

// The streams end when the command's own copies are closed.
void CloseStreams() {
  if (Call(SYS_close_range, 0, kChannelDescriptor - 1, 0) == 0) return;
  // compat(kernel < 5.9, or close_range refused by a seccomp filter)
  for (int fd = 0; fd < kChannelDescriptor; ++fd) (void)Call(SYS_close, fd);
}

// The end of a child that came before stays waiting, since the signal is blocked.
int OpenChildSignals() {
  const uint64_t ends = uint64_t{1} << (SIGCHLD - 1);
  return static_cast<int>(Call(SYS_signalfd4, -1, &ends, sizeof ends, O_CLOEXEC | O_NONBLOCK));
}

// The command goes first when memory runs out. An error leaves it as it is.
void TakeBackOomScore(const char* score) {
  Word length = 0;
  while (score[length] != '\0') ++length;
  if (length > 0) (void)Call(SYS_write, kOomScoreDescriptor, score, length);
  (void)Call(SYS_close, kOomScoreDescriptor);
}

int Fail(FailedStep step, int error) {
  Report report;
  report.kind = ReportKind::kFailed;
  report.step = step;
  report.error = error;
  Send(report);
  return 1;
}

// After the streams are closed: under a limit of descriptors their places are the only ones. The number is the
// command's own until it is reaped.
void TellStart(int pid) {
  Report started;
  started.pid = pid;
  const auto pidfd = static_cast<int>(Call(SYS_pidfd_open, pid, 0));
  Send(started, pidfd);
  if (pidfd >= 0) (void)Call(SYS_close, pidfd);
}

int Supervise(const Arguments& arguments) {
  if (const int error = BecomeSupervisor(); error != 0) return Fail(FailedStep::kSupervision, error);
  const StartedCommand command = StartCommand(arguments.command);
  if (command.step != FailedStep::kNone) return Fail(command.step, command.error);
  CloseStreams();
  TellStart(command.pid);
  TakeBackOomScore(arguments.oom_score);
  Supervision(command.pid, OpenChildSignals(), arguments.leave_on_host_crash).Run();
  return 0;
}

Word Fork() { return Call(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

// A command that leaves an orphan behind, in a session of its own, which must be ended from outside.
int LeaveOrphan() {
  const Word middle = Fork();
  if (middle > 0) (void)CallAgain(SYS_wait4, middle, nullptr, 0, nullptr);
  if (middle != 0) return middle > 0 ? 0 : 1;
  (void)Call(SYS_setsid);
  if (Fork() != 0) return 0;
  const timespec minute{60, 0};
  (void)Call(SYS_nanosleep, &minute, nullptr);
  return 0;
}

}  // namespace

int Main(int count, char** arguments, char** environment) {
  if (count == 2 && IsSame(arguments[1], kProbe)) return LeaveOrphan();
  Arguments parsed;
  if (!ParseArguments(count, arguments, environment, &parsed)) return kMisused;
  return Supervise(parsed);
}

}  // namespace quiesce::supervisor
