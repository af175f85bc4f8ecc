#include "process/output_stream.h"

#include <sys/epoll.h>

namespace quiesce {

bool OutputStream::Open(UniqueFd pipe, std::shared_ptr<EventHandler> handler, int tag) {
  collector_->Attach(std::move(pipe));
  handler_ = std::move(handler);
  tag_ = tag;
  return Watch();
}

bool OutputStream::Watch() {
  auto watched = reactor_->Watch(collector_->fd(), EPOLLIN, handler_, tag_);
  if (watched.ok()) watch_ = watched.value();
  return watched.ok();
}

void OutputStream::Read() {
  if (!open() || paused_) return;
  collector_->ReadTurn(reactor_->scratch(), Clock::now());
  if (collector_->at_end()) {
    Close();
  } else if (collector_->congested()) {
    paused_ = true;
    reactor_->Unwatch(watch_);
    watch_ = 0;
    // The spill may have caught up before the pause could be seen.
    if (!collector_->congested()) Resume();
  }
}

void OutputStream::Resume() {
  if (!paused_) return;
  paused_ = false;
  if (open()) (void)Watch();  // it could be watched before, and nothing was added since
}

void OutputStream::Close() {
  if (!open()) return;
  reactor_->Unwatch(watch_);
  watch_ = 0;
  collector_->End();
  handler_.reset();
}

}  // namespace quiesce
