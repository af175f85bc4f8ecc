// Blocks every signal in the calling thread for as long as it lives, the two that libc keeps for itself included.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace quiesce {

class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    const uint64_t all = ~uint64_t{0};
    // The raw call: pthread_sigmask leaves signals 32 and 33 open, whose handlers must not run on a child's stack.
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old_, sizeof old_);
  }
  ~AllSignalsBlocked() { (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old_, nullptr, sizeof old_); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  uint64_t old_ = 0;
};

}  // namespace quiesce
