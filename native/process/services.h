// What a process needs of those who run it. Everything is borrowed or shared; the lender outlives every process.
#pragma once

#include <memory>

#include "os/event_loop.h"
#include "output/spill_folder.h"
#include "output/spill_thread.h"
#include "process/start_gate.h"
#include "range/range.h"

namespace quiesce {

struct Services {
  EventLoop* loop = nullptr;
  SpillThread* spill_thread = nullptr;
  StartGate* gate = nullptr;
  int null_device = -1;
  std::shared_ptr<RangeSource> ranges;
  std::shared_ptr<SpillFolder> spill_folder;
};

}  // namespace quiesce
