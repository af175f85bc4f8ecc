// Data for a command's stdin beyond what its pipe took at once. Reactor thread only.
#pragma once

#include <sys/epoll.h>

#include <cerrno>
#include <memory>
#include <string>

#include "os/event_loop.h"
#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

class InputStream {
 public:
  explicit InputStream(EventLoop* loop) : loop_(loop) {}

  // Begins to write `data` to `pipe`, which is watched already: `handler` is told by `tag`.
  void Open(UniqueFd pipe, std::string data, const EventLoop::EarlyWatch& early, std::shared_ptr<EventHandler> handler,
            int tag) {
    pipe_ = std::move(pipe);
    data_ = std::move(data);
    watch_ = early.watch;
    loop_->Attach(early, std::move(handler), tag);
  }

  // Writes what the pipe takes. A command that does not read its input (EPIPE) is no error: the rest is dropped.
  void Write() {
    while (pipe_.valid() && sent_ < data_.size()) {
      const ssize_t count = sys::Write(pipe_.get(), data_.data() + sent_, data_.size() - sent_);
      if (count == -1 && errno == EAGAIN) return;
      if (count == -1) break;
      sent_ += static_cast<size_t>(count);
    }
    Close();
  }

  void Close() {
    if (!pipe_.valid()) return;
    loop_->Unwatch(watch_);
    watch_ = 0;
    pipe_.Reset();
    data_ = {};
  }

 private:
  EventLoop* loop_;  // borrowed; outlives every process
  UniqueFd pipe_;
  std::string data_;
  size_t sent_ = 0;
  uint64_t watch_ = 0;
};

}  // namespace quiesce
