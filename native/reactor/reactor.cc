#include "reactor/reactor.h"

#include <cerrno>

#include "os/thread.h"

namespace quiesce {

namespace {

constexpr size_t kEventsAtOnce = 64;
constexpr uint64_t kWakeWatch = 0;

}  // namespace

Result<std::unique_ptr<Reactor>> Reactor::Start() {
  auto epoll = Epoll::Create();
  if (!epoll.ok()) return epoll.error();
  auto wake = EventFd::Create();
  if (!wake.ok()) return wake.error();
  std::unique_ptr<Reactor> reactor(new Reactor(std::move(epoll.value()), std::move(wake.value())));
  if (Status added = reactor->epoll_.Add(reactor->wake_.fd(), EPOLLIN, kWakeWatch); !added.ok()) return added.error();
  Status started = StartThread(&reactor->thread_, "quiesce-reactor", [self = reactor.get()] { self->Run(); });
  if (!started.ok()) return started.error();
  return reactor;
}

Reactor::~Reactor() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.Signal();
  thread_.join();
}

void Reactor::Post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }
  if (!woken_.exchange(true)) wake_.Signal();
}

Result<uint64_t> Reactor::Watch(int fd, uint32_t events, std::shared_ptr<EventHandler> handler, int tag) {
  const uint64_t watch = ++last_watch_;
  if (Status added = epoll_.Add(fd, events, watch); !added.ok()) return added.error();
  entries_.emplace(watch, Entry{fd, std::move(handler), tag});
  return watch;
}

void Reactor::Unwatch(uint64_t watch) {
  const auto found = entries_.find(watch);
  if (found == entries_.end()) return;
  epoll_.Remove(found->second.fd);
  entries_.erase(found);
}

void Reactor::Run() {
  std::array<epoll_event, kEventsAtOnce> buffer;
  while (true) {
    for (const epoll_event& event : epoll_.Wait(buffer, timers_.NextDelay(Clock::now()))) {
      if (event.data.u64 == kWakeWatch) {
        wake_.Clear();
        woken_.store(false);
      } else {
        Dispatch(event.data.u64);
      }
    }
    timers_.RunDue(Clock::now());
    RunPosted();
    const std::lock_guard lock(mutex_);
    if (stopping_ && posted_.empty()) return;
  }
}

void Reactor::RunPosted() {
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (const auto& task : tasks) task();
}

void Reactor::Dispatch(uint64_t watch) {
  // Not found: forgotten by a handler earlier in this round.
  const auto found = entries_.find(watch);
  if (found == entries_.end()) return;
  // The handler may forget itself.
  const std::shared_ptr<EventHandler> handler = found->second.handler;
  handler->OnReady(found->second.tag);
}

}  // namespace quiesce
