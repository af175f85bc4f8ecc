#include "os/event_loop.h"

#include <utility>

#include "os/thread.h"

namespace quiesce {

namespace {

constexpr size_t kEventsAtOnce = 64;
constexpr uint64_t kWakeWatch = 0;
constexpr std::chrono::seconds kRestlessWait{60};
// How often everything is looked at when epoll does not wait any more: somebody in this process closed its descriptor.
constexpr std::chrono::milliseconds kBlindPause{10};

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::Start() {
  auto epoll = Epoll::Create();
  if (!epoll.ok()) return epoll.error();
  auto wake = EventFd::Create();
  if (!wake.ok()) return wake.error();
  std::unique_ptr<EventLoop> loop(new EventLoop(std::move(epoll.value()), std::move(wake.value())));
  if (Status added = loop->epoll_.Add(loop->wake_.fd(), EPOLLIN, kWakeWatch); !added.ok()) return added.error();
  Status started = StartThread(&loop->thread_, "quiesce-reactor", [self = loop.get()] { self->Run(); });
  if (!started.ok()) return started.error();
  return loop;
}

EventLoop::~EventLoop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    woken_ = true;
  }
  wake_.Signal();
  thread_.join();
}

void EventLoop::Post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
    if (std::exchange(woken_, true)) return;
  }
  wake_.Signal();
}

void EventLoop::PostWithWatches(std::span<EarlyWatch> watches, TimePoint latest, std::function<void()> task) {
  {
    // Held until the task is there: a thread that has seen one of these events waits here before it handles it.
    const std::lock_guard lock(mutex_);
    bool refused = false;
    for (EarlyWatch& early : watches) {
      if (early.fd < 0) continue;
      early.watch = ++last_watch_;
      if (epoll_.Add(early.fd, early.events, early.watch).ok()) continue;
      early.watch = 0;
      refused = true;
    }
    posted_.push_back(std::move(task));
    if (!refused && latest >= waits_until_) return;
    if (std::exchange(woken_, true)) return;
  }
  wake_.Signal();
}

void EventLoop::AfterEachRound(std::function<void()> hook) {
  Post([this, hook = std::move(hook)]() mutable { after_round_ = std::move(hook); });
}

Result<uint64_t> EventLoop::Watch(int fd, uint32_t events, std::shared_ptr<EventHandler> handler, int tag) {
  uint64_t watch = 0;
  {
    const std::lock_guard lock(mutex_);
    watch = ++last_watch_;
  }
  if (Status added = epoll_.Add(fd, events, watch); !added.ok()) return added.error();
  entries_.emplace(watch, Entry{fd, std::move(handler), tag});
  return watch;
}

void EventLoop::Attach(const EarlyWatch& early, std::shared_ptr<EventHandler> handler, int tag) {
  if (early.watch != 0) entries_.emplace(early.watch, Entry{early.fd, std::move(handler), tag});
}

void EventLoop::Change(uint64_t watch, uint32_t events) {
  const auto found = entries_.find(watch);
  if (found != entries_.end()) (void)epoll_.Modify(found->second.fd, events, watch);  // fails for no known watch
}

void EventLoop::Unwatch(uint64_t watch) {
  const auto found = entries_.find(watch);
  if (found == entries_.end()) return;
  epoll_.Remove(found->second.fd);
  entries_.erase(found);
}

// Milliseconds to wait, or -1. While commands come and go the loop wakes up now and then by itself, so that those whose
// deadline is far away need not wake it; after a quiet round it sleeps for as long as nothing happens.
int EventLoop::PrepareWait() {
  const TimePoint now = Clock::now();
  int delay = timers_.NextDelay(now);
  if (delay == -1 && busy_) delay = static_cast<int>(std::chrono::milliseconds(kRestlessWait).count());
  const std::lock_guard lock(mutex_);
  if (!posted_.empty()) delay = 0;
  waits_until_ = delay == -1 ? TimePoint::max() : now + std::chrono::milliseconds(delay);
  return delay;
}

void EventLoop::Run() {
  std::array<epoll_event, kEventsAtOnce> buffer;
  while (true) {
    auto events = epoll_.Wait(buffer, PrepareWait());
    if (!events.ok()) std::this_thread::sleep_for(kBlindPause);
    busy_ = !events.ok() || !events.value().empty() || !entries_.empty();
    // First what was posted: it may hold the handlers of these events.
    RunPosted();
    if (events.ok()) {
      for (const epoll_event& event : events.value()) {
        if (event.data.u64 != kWakeWatch) Dispatch(event.data.u64);
      }
    } else {
      DispatchAll();
    }
    timers_.RunDue(Clock::now());
    after_round_();
    const std::lock_guard lock(mutex_);
    if (stopping_ && posted_.empty()) return;
  }
}

void EventLoop::RunPosted() {
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
    // Until the next wait nobody has to wake the loop.
    waits_until_ = TimePoint::min();
    if (std::exchange(woken_, false)) wake_.Clear();
  }
  for (const auto& task : tasks) task();
}

void EventLoop::DispatchAll() {
  std::vector<uint64_t> watches;
  for (const auto& [watch, entry] : entries_) watches.push_back(watch);
  for (const uint64_t watch : watches) Dispatch(watch);
}

void EventLoop::Dispatch(uint64_t watch) {
  // Not found: forgotten by a handler earlier in this round.
  const auto found = entries_.find(watch);
  if (found == entries_.end()) return;
  // The handler may forget itself.
  const std::shared_ptr<EventHandler> handler = found->second.handler;
  handler->OnReady(found->second.tag);
}

}  // namespace quiesce
