// One thread that waits for every descriptor and timer of the core. Handlers run on it and must not block.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "os/clock.h"
#include "os/epoll.h"
#include "os/event_fd.h"
#include "os/result.h"
#include "reactor/event_handler.h"
#include "reactor/timers.h"

namespace quiesce {

class Reactor {
 public:
  static Result<std::unique_ptr<Reactor>> Start();

  // Runs what was posted, then ends the thread.
  ~Reactor();
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  // Any thread: runs `task` on the reactor thread, in the order of the calls.
  void Post(std::function<void()> task);

  // --- reactor thread ---

  // Level-triggered. `fd` is borrowed until Unwatch, which must come before its close. 0 is no watch.
  Result<uint64_t> Watch(int fd, uint32_t events, std::shared_ptr<EventHandler> handler, int tag);
  void Unwatch(uint64_t watch);

  uint64_t At(TimePoint when, std::shared_ptr<EventHandler> handler, int tag) {
    return timers_.Add(when, {std::move(handler), tag});
  }
  void Cancel(uint64_t timer) { timers_.Cancel(timer); }

  // For reading into; its content does not outlive the handler's call.
  [[nodiscard]] std::span<uint8_t> scratch() { return scratch_; }

 private:
  struct Entry {
    int fd;
    std::shared_ptr<EventHandler> handler;
    int tag;
  };

  Reactor(Epoll epoll, EventFd wake) : epoll_(std::move(epoll)), wake_(std::move(wake)) {}

  void Run();
  void RunPosted();
  void Dispatch(uint64_t watch);

  Epoll epoll_;
  EventFd wake_;
  std::thread thread_;

  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  std::atomic<bool> woken_{false};
  bool stopping_ = false;

  uint64_t last_watch_ = 0;  // 0 is the wake-up's own
  std::unordered_map<uint64_t, Entry> entries_;
  Timers timers_;
  std::array<uint8_t, size_t{64} * 1024> scratch_;  // what a pipe holds at most, unless somebody enlarged it
};

}  // namespace quiesce
