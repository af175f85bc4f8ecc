// What every process of one runtime shares.
#pragma once

#include <memory>
#include <string>

#include "os/unique_fd.h"
#include "output/spill_folder.h"
#include "output/spill_thread.h"
#include "process/spawner_pool.h"
#include "range/range.h"
#include "reactor/reactor.h"

namespace quiesce {

// The threads of one host environment, started together by its first command. Destroying it joins them; nothing may be
// running then.
struct Engine {
  static Result<std::shared_ptr<Engine>> Start();

  UniqueFd null_device;
  // In reverse order of their end: first no clone is under way any more, then the disk has everything, and the reactor,
  // which both report to, goes last.
  std::unique_ptr<Reactor> reactor;
  SpillThread spill_thread;
  SpawnerPool spawners;
};

// The engine is borrowed: the runtime keeps it for as long as one of its processes lives.
struct Services {
  Engine* engine = nullptr;
  std::shared_ptr<RangeSource> ranges;
  std::shared_ptr<SpillFolder> spill_folder;
};

}  // namespace quiesce
