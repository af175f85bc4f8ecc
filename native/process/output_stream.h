// A collected stream while its pipe is open: when the reactor reads it, and when it has been silent. Reactor thread only.
#pragma once

#include <memory>

#include "os/clock.h"
#include "output/collector.h"
#include "reactor/reactor.h"

namespace quiesce {

class OutputStream {
 public:
  OutputStream(Reactor* reactor, std::shared_ptr<Collector> collector) : reactor_(reactor), collector_(std::move(collector)) {}

  // Begins to read `pipe`; `handler` is told by `tag`. False if the reactor cannot watch it: read it by polling then.
  [[nodiscard]] bool Open(UniqueFd pipe, std::shared_ptr<EventHandler> handler, int tag);

  // Reads what is there; ends the stream at its end; pauses it while the spill is behind.
  void Read();

  // Goes on reading after a pause.
  void Resume();

  // Gives the pipe up: whoever still holds it gets SIGPIPE from now on.
  void Close();

  [[nodiscard]] bool open() const { return collector_->attached(); }
  [[nodiscard]] bool flushed() const { return collector_->spill_idle(); }
  [[nodiscard]] TimePoint last_data() const { return collector_->last_data(); }

 private:
  [[nodiscard]] bool Watch();

  Reactor* reactor_;  // borrowed; outlives every process
  std::shared_ptr<Collector> collector_;
  std::shared_ptr<EventHandler> handler_;
  int tag_ = 0;
  uint64_t watch_ = 0;
  bool paused_ = false;
};

}  // namespace quiesce
