#include "os/epoll.h"

#include <cerrno>

namespace quiesce {

namespace {

Status Control(int epoll, int operation, int fd, uint32_t events, uint64_t id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  if (epoll_ctl(epoll, operation, fd, &event) == -1) return SysError{errno, "epoll_ctl", {}};
  return {};
}

}  // namespace

Result<Epoll> Epoll::Create() {
  UniqueFd fd(epoll_create1(EPOLL_CLOEXEC));
  if (!fd.valid()) return SysError{errno, "epoll_create1", {}};
  return Epoll(std::move(fd));
}

Status Epoll::Add(int fd, uint32_t events, uint64_t id) { return Control(fd_.get(), EPOLL_CTL_ADD, fd, events, id); }

Status Epoll::Modify(int fd, uint32_t events, uint64_t id) { return Control(fd_.get(), EPOLL_CTL_MOD, fd, events, id); }

void Epoll::Remove(int fd) { (void)epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr); }

Result<std::span<epoll_event>> Epoll::Wait(std::span<epoll_event> buffer, int timeout_ms) {
  const int count = epoll_wait(fd_.get(), buffer.data(), static_cast<int>(buffer.size()), timeout_ms);
  if (count == -1 && errno != EINTR) return SysError{errno, "epoll_wait", {}};
  return buffer.first(count > 0 ? static_cast<size_t>(count) : 0);
}

}  // namespace quiesce
