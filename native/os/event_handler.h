// Who is told of events on the reactor thread. The tag is the handler's own.
#pragma once

#include <cstdint>

namespace quiesce {

class EventHandler {
 public:
  EventHandler() = default;
  EventHandler(const EventHandler&) = delete;
  EventHandler& operator=(const EventHandler&) = delete;
  virtual ~EventHandler() = default;

  virtual void OnReady(int tag) = 0;
  virtual void OnTimer(int tag) = 0;
};

}  // namespace quiesce
