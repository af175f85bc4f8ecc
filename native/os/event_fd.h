// A wake-up that any thread may give and one thread waits for by epoll.
#pragma once

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>

#include "os/result.h"
#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

class EventFd {
 public:
  static Result<EventFd> Create() {
    UniqueFd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd.valid()) return SysError{errno, "eventfd", {}};
    return EventFd(std::move(fd));
  }

  [[nodiscard]] int fd() const { return fd_.get(); }

  // EAGAIN (the counter is full) means that the waiter has a wake-up coming already.
  void Signal() const {
    const uint64_t one = 1;
    (void)sys::Write(fd_.get(), &one, sizeof one);
  }

  // EAGAIN means that there was nothing to take back.
  void Clear() const {
    uint64_t count = 0;
    (void)sys::Read(fd_.get(), &count, sizeof count);
  }

 private:
  explicit EventFd(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace quiesce
