#include "range/group_range.h"

#include <sys/epoll.h>

#include <cerrno>
#include <csignal>

#include "os/sys.h"
#include "range/process_table.h"

namespace quiesce {

namespace {

// A group whose members are replaced faster than they can be looked at is polled instead.
constexpr int kLooks = 4;

}  // namespace

void GroupRange::Started(pid_t pid, int pidfd) {
  pid_ = pid;
  pidfd_ = pidfd;
}

int GroupRange::SendToGroup(int signal_number) {
  // By pidfd the kernel itself knows which group is meant, even when the leader's number belongs to a stranger by now.
  const int sent = sys::PidfdSendSignal(pidfd_, signal_number, sys::kPidfdSignalProcessGroup);
  if (sent == 0 || errno == ESRCH) return sent;
  // compat(kernel < 6.9, or refused by a seccomp filter): by number, which the living members keep from being reused.
  return kill(-pid_, signal_number);
}

void GroupRange::SignalAll(int signal_number) {
  (void)SendToGroup(signal_number);  // ESRCH: nobody is left; EPERM: somebody is, who may not be signalled
  if (signal_number != SIGKILL) (void)SendToGroup(SIGCONT);
}

void GroupRange::KillAll() { SignalAll(SIGKILL); }

Result<bool> GroupRange::IsEmpty() {
  survivor_.Reset();
  for (int look = 0; look < kLooks; ++look) {
    if (SendToGroup(0) == -1 && errno == ESRCH) return true;
    // The group still has a process, but it may be a zombie that its parent never reaps.
    auto member = FindRunningMember(pid_);
    if (!member.ok()) return member.error();
    if (member.value() == 0) return true;
    survivor_.Reset(sys::PidfdOpen(member.value()));
    if (!survivor_.valid() && errno != ESRCH) return false;  // no pidfd to be had: poll
    // The number may have changed hands between the look and the open.
    if (survivor_.valid() && IsRunningMember(member.value(), pid_)) return false;
    survivor_.Reset();
  }
  return false;
}

RangeWatch GroupRange::watch() const { return {survivor_.get(), EPOLLIN}; }

Result<std::unique_ptr<Range>> GroupRangeSource::Acquire() { return std::unique_ptr<Range>(new GroupRange()); }

void GroupRangeSource::Release(std::unique_ptr<Range> range) { range.reset(); }

}  // namespace quiesce
