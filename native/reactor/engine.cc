#include "reactor/engine.h"

#include <fcntl.h>

#include <cerrno>

#include "os/sys.h"
#include "spawn/child.h"

namespace quiesce {

Result<std::shared_ptr<Engine>> Engine::Start() {
  auto engine = std::make_shared<Engine>();
  UniqueFd null_device(sys::OpenAt(AT_FDCWD, "/dev/null", O_RDWR));
  // Above every fixed descriptor of a command, since it is duplicated from there.
  engine->null_device.Reset(null_device.valid() ? fcntl(null_device.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor) : -1);
  if (!engine->null_device.valid()) return SysError{errno, "open", "/dev/null"};
  auto loop = EventLoop::Start();
  if (!loop.ok()) return loop.error();
  engine->loop = std::move(loop.value());
  engine->policies.emplace(engine->null_device.get(), [thread = &engine->spill_thread](std::function<void()> job) {
    thread->Submit(std::move(job));
  });
  return engine;
}

}  // namespace quiesce
