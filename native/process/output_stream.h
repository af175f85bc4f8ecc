// A collected stream while its pipe is open: when the reactor reads it, and when it has been silent. Reactor thread
// only.
#pragma once

#include <memory>

#include "os/clock.h"
#include "os/event_loop.h"
#include "output/collector.h"

namespace quiesce {

class OutputStream {
 public:
  OutputStream(EventLoop* loop, std::shared_ptr<Collector> collector) : loop_(loop), collector_(std::move(collector)) {}

  // Begins to read `pipe`, which is watched already: `handler` is told by `tag`.
  void Open(UniqueFd pipe, const EventLoop::EarlyWatch& early, std::shared_ptr<EventHandler> handler, int tag);

  // Reads what is there; ends the stream at its end; pauses it while the spill is behind.
  void Read();

  // Goes on reading after a pause; `unwatched` if epoll has no room for the pipe any more.
  void Resume();

  // Gives the pipe up: whoever still holds it gets SIGPIPE from now on.
  void Close();

  [[nodiscard]] bool open() const { return collector_->attached(); }
  [[nodiscard]] bool unwatched() const { return open() && !paused_ && watch_ == 0; }
  [[nodiscard]] bool flushed() const { return collector_->spill_idle(); }
  [[nodiscard]] TimePoint last_data() const { return collector_->last_data(); }

 private:
  EventLoop* loop_;  // borrowed; outlives every process
  std::shared_ptr<Collector> collector_;
  std::shared_ptr<EventHandler> handler_;
  int tag_ = 0;
  uint64_t watch_ = 0;
  bool paused_ = false;
};

}  // namespace quiesce
