#include "range/exit_facts.h"

#include <cerrno>

#include "os/sys.h"

namespace quiesce {

namespace {

double ToMillis(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Of a process that somebody else has reaped, or is reaping at this moment: then nothing yet, and a pidfd stays ready.
std::optional<ExitFacts> AskPidfd(int pidfd) {
  sys::PidfdInfo info{};
  info.mask = sys::kPidfdInfoExit;
  // compat(kernel < 6.15): ENOTTY, EINVAL or ESRCH, and the status is lost.
  if (sys::GetPidfdInfo(pidfd, &info) == -1) return ExitFacts{};
  if ((info.mask & sys::kPidfdInfoExit) == 0) return std::nullopt;
  ExitFacts facts;
  if (WIFSIGNALED(info.exit_code)) {
    facts.signal_number = WTERMSIG(info.exit_code);
  } else {
    facts.exit_code = WEXITSTATUS(info.exit_code);
  }
  return facts;
}

}  // namespace

std::optional<ExitFacts> Reap(int pidfd) {
  siginfo_t info{};
  rusage usage{};
  if (sys::WaitPidfd(pidfd, &info, WEXITED | WNOHANG, &usage) == -1) {
    // Any other error (a seccomp filter) will not go away, and a pidfd that is not answered to stays ready for ever.
    return errno == ECHILD ? AskPidfd(pidfd) : ExitFacts{};
  }
  if (info.si_pid == 0) return std::nullopt;
  ExitFacts facts;
  (info.si_code == CLD_EXITED ? facts.exit_code : facts.signal_number) = info.si_status;
  facts.user_ms = ToMillis(usage.ru_utime);
  facts.system_ms = ToMillis(usage.ru_stime);
  facts.max_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;  // getrusage counts kilobytes
  return facts;
}

}  // namespace quiesce
