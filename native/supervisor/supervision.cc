#include "supervisor/supervision.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

#include "supervisor/channel.h"
#include "supervisor/children.h"
#include "supervisor/raw_calls.h"
#include "supervisor/tree.h"

namespace quiesce::supervisor {

namespace {

constexpr int kForEver = -1;
// Between two looks at what does not die at once: it may be held by the kernel.
constexpr int kFirstPauseMs = 1;
constexpr int kLongestPauseMs = 64;
constexpr int64_t kNsInMs = 1000000;
constexpr int64_t kUsInS = 1000000;

int64_t ToMicros(const timeval& time) { return time.tv_sec * kUsInS + time.tv_usec; }

bool IsDead(int child) {
  siginfo_t info;
  info.si_pid = 0;
  const Word asked = Call(SYS_waitid, P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT | __WALL, nullptr);
  return asked < 0 || info.si_pid != 0;
}

}  // namespace

void Supervision::Run() {
  while (true) {
    Wait(kForEver);
    TakeOrders();
    if (killing_) return KillAll();
    if (Reap()) return;
  }
}

void Supervision::Wait(int timeout_ms) {
  enum { kChildren, kChannel, kHost, kCount };
  const bool hears = hears_host_ && !killing_;
  pollfd entries[kCount] = {{child_signals_, POLLIN, 0},
                            {hears ? kChannelDescriptor : -1, POLLIN, 0},
                            {hears && !leave_ ? kHostDescriptor : -1, POLLIN, 0}};
  timespec timeout{0, timeout_ms * kNsInMs};
  (void)Call(SYS_ppoll, entries, kCount, timeout_ms == kForEver ? nullptr : &timeout, nullptr, 8);
  signalfd_siginfo taken;
  child_ended_ = CallAgain(SYS_read, child_signals_, &taken, sizeof taken) > 0;
  if (entries[kHost].revents != 0) killing_ = true;
}

void Supervision::TakeOrders() {
  while (hears_host_ && !killing_) {
    Order order;
    const Heard heard = Receive(&order);
    if (heard == Heard::kNothing) return;
    if (heard == Heard::kEnd) {
      hears_host_ = false;
      killing_ = !leave_;
    } else if (order.signal_number == SIGKILL) {
      killing_ = true;
    } else {
      Signal(order.signal_number);
    }
  }
}

void Supervision::Signal(int signal_number) {
  if (SignalTree(signal_number) || ended_) return;
  (void)Call(SYS_kill, -command_, signal_number);
  (void)Call(SYS_kill, -command_, SIGCONT);
}

// Reaps one child that has ended, `pid` or any (-1): its pid, 0 if none has ended, or a negative errno.
Word Supervision::ReapOne(int pid) {
  int status = 0;
  rusage usage;
  const Word reaped = CallAgain(SYS_wait4, pid, &status, WNOHANG | __WALL, &usage);
  if (reaped == command_ && !ended_) {
    ended_ = true;
    end_.kind = ReportKind::kEnded;
    end_.status = status;
    end_.user_us = ToMicros(usage.ru_utime);
    end_.system_us = ToMicros(usage.ru_stime);
    end_.max_rss_kib = usage.ru_maxrss;
  }
  return reaped;
}

// Whether nobody is left.
bool Supervision::Reap() {
  Word reaped = 0;
  do {
    reaped = ReapOne(-1);
  } while (reaped > 0);
  TellEnd(/*empty=*/reaped == -ECHILD);
  return reaped == -ECHILD;
}

void Supervision::TellEnd(bool empty) {
  if (ended_ && !end_told_) {
    end_told_ = true;
    end_.empty = empty ? 1 : 0;
    Send(end_);
  } else if (empty) {
    Report report;
    report.kind = ReportKind::kEmpty;
    Send(report);
  }
}

// Kills each child and the group that it may lead, which holds only its own descendants. Whether none was seen alive.
bool Supervision::Sweep() {
  bool all_dead = true;
  const bool told = ForEachChild([&](int pid) {
    if (IsDead(pid)) return;
    all_dead = false;
    (void)Call(SYS_kill, -pid, SIGKILL);
    (void)Call(SYS_kill, pid, SIGKILL);
  });
  // Without /proc there is only what the command's number reaches, which is its own until it is reaped.
  if (!told && !ended_) (void)Call(SYS_kill, -command_, SIGKILL);
  return all_dead;
}

// The dead are kept until all are: they count in the limits of processes, so that who multiplies finds no place. The
// children of a dead one are children of this process by the time that it counts as dead.
void Supervision::KillAll() {
  int pause_ms = kFirstPauseMs;
  while (true) {
    if (Sweep() && Reap()) return;
    if (!ended_ && ReapOne(command_) > 0) TellEnd(/*empty=*/false);
    Wait(pause_ms);
    pause_ms = child_ended_ ? kFirstPauseMs : pause_ms * 2;
    if (pause_ms > kLongestPauseMs) pause_ms = kLongestPauseMs;
  }
}

}  // namespace quiesce::supervisor
