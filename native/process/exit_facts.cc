#include "process/exit_facts.h"

#include <cerrno>

#include "os/sys.h"

namespace quiesce {

namespace {

double ToMillis(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

}  // namespace

std::optional<ExitFacts> Reap(int pidfd) {
  siginfo_t info{};
  rusage usage{};
  if (sys::WaitPidfd(pidfd, &info, WEXITED | WNOHANG, &usage) == -1) {
    // ECHILD: the host ignores SIGCHLD, so the kernel reaped the child and its status is lost.
    return errno == ECHILD ? std::optional(ExitFacts{}) : std::nullopt;
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
