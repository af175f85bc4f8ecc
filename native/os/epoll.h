// An epoll instance whose events carry an id of the caller's. Ids are never used twice, so that an event that was
// already fetched when its descriptor was forgotten can be told from one of a later descriptor with the same number.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <span>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

class Epoll {
 public:
  static Result<Epoll> Create();

  // Readable when an event is waiting, for whoever watches several descriptors as one.
  [[nodiscard]] int fd() const { return fd_.get(); }

  [[nodiscard]] Status Add(int fd, uint32_t events, uint64_t id);
  [[nodiscard]] Status Modify(int fd, uint32_t events, uint64_t id);

  // Must come before close(): a just-cloned child still holds every descriptor of the host until its exec, so closing
  // alone would leave the registration alive.
  void Remove(int fd);

  // Waits up to `timeout_ms` (-1: for ever). An interrupted wait returns no events.
  Result<std::span<epoll_event>> Wait(std::span<epoll_event> buffer, int timeout_ms);

 private:
  explicit Epoll(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace quiesce
