// One thread that waits for every descriptor and timer of the core. Handlers run on it and must not block.
#pragma once

#include <array>
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
#include "os/event_handler.h"
#include "os/result.h"
#include "os/timers.h"

namespace quiesce {

class EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> Start();

  // Runs what was posted, then ends the thread.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Any thread: runs `task` on the reactor thread, in the order of the calls.
  void Post(std::function<void()> task);

  // A descriptor that another thread than the reactor's begins to watch. Level-triggered; `fd` is borrowed.
  struct EarlyWatch {
    int fd;  // -1: nothing to watch
    uint32_t events;
    uint64_t watch;  // set by the call; 0 if epoll refuses the descriptor
  };

  // Any thread: as Post, but wakes nobody: `task` runs before the first event of the watches is handled, and at the
  // latest at `latest`. It must give each watch its handler. Saves a change of threads for each command.
  void PostWithWatches(std::span<EarlyWatch> watches, TimePoint latest, std::function<void()> task);

  // Any thread, once: `hook` runs on the reactor thread whenever all that had happened has been handled, so that it can
  // tell of everything at once.
  void AfterEachRound(std::function<void()> hook);

  // --- reactor thread ---

  // Level-triggered. `fd` is borrowed until Unwatch, which must come before its close. 0 is no watch.
  Result<uint64_t> Watch(int fd, uint32_t events, std::shared_ptr<EventHandler> handler, int tag);
  void Attach(const EarlyWatch& early, std::shared_ptr<EventHandler> handler, int tag);
  // Watches for other events from now on; with none it waits for what cannot be left out (EPOLLHUP, EPOLLERR).
  void Change(uint64_t watch, uint32_t events);
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

  EventLoop(Epoll epoll, EventFd wake) : epoll_(std::move(epoll)), wake_(std::move(wake)) {}

  void Run();
  int PrepareWait();
  void RunPosted();
  void Dispatch(uint64_t watch);
  void DispatchAll();

  Epoll epoll_;
  EventFd wake_;
  std::thread thread_;

  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;
  TimePoint waits_until_ = TimePoint::min();  // nothing has to wake the loop before it has begun to wait
  uint64_t last_watch_ = 0;                   // 0 is the wake-up's own
  bool woken_ = false;
  bool stopping_ = false;

  bool busy_ = false;  // something happened in the last round
  std::function<void()> after_round_ = [] {};
  std::unordered_map<uint64_t, Entry> entries_;
  Timers timers_;
  std::array<uint8_t, size_t{64} * 1024> scratch_;  // what a pipe holds at most, unless somebody enlarged it
};

}  // namespace quiesce
