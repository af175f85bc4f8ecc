#include "process/output_stream.h"

#include <sys/epoll.h>

namespace quiesce {

void OutputStream::Open(UniqueFd pipe, const EventLoop::EarlyWatch& early, std::shared_ptr<EventHandler> handler,
                        int tag) {
  collector_->Attach(std::move(pipe));
  handler_ = std::move(handler);
  tag_ = tag;
  watch_ = early.watch;
  loop_->Attach(early, handler_, tag_);
}

void OutputStream::Read() {
  if (!open() || paused_) return;
  collector_->ReadTurn(loop_->scratch(), Clock::now());
  if (collector_->at_end()) {
    Close();
  } else if (collector_->congested()) {
    paused_ = true;
    loop_->Unwatch(watch_);
    watch_ = 0;
    // The spill may have caught up before the pause could be seen.
    if (!collector_->congested()) Resume();
  }
}

void OutputStream::Resume() {
  if (!paused_) return;
  paused_ = false;
  if (!open()) return;
  auto watched = loop_->Watch(collector_->fd(), EPOLLIN, handler_, tag_);
  if (watched.ok()) watch_ = watched.value();
}

void OutputStream::Close() {
  if (!open()) return;
  loop_->Unwatch(watch_);
  watch_ = 0;
  collector_->End();
  handler_.reset();
}

}  // namespace quiesce
