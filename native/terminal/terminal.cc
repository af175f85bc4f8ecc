#include "terminal/terminal.h"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr size_t kOutputCapacity = size_t{256} * 1024;
constexpr size_t kTurnBytes = kOutputCapacity;  // then others have their turn
constexpr size_t kInputCapacity = size_t{16} * 1024 * 1024;
// The most that a terminal is asked for after the end of its command: more than the kernel queues (drivers/tty/pty.c
// and n_tty.c, some 12 KiB), so that a leftover that never stops writing cannot hold the end back.
constexpr size_t kMostQueued = size_t{64} * 1024;
constexpr size_t kMostWritten = size_t{64} * 1024;  // in one call, which holds the lock
// Where epoll refuses a descriptor it is polled.
constexpr std::chrono::milliseconds kPollPause{10};

}  // namespace

Terminal::Terminal(uint64_t id, Pty pty, EventLoop* loop, TerminalListener* listener)
    : id_(id),
      loop_(loop),
      listener_(listener),
      pty_(std::move(pty)),
      output_(kOutputCapacity),
      input_(kInputCapacity),
      ended_(!pty_.host.valid()) {}

Terminal::~Terminal() = default;

void Terminal::Attach(const EventLoop::EarlyWatch& early) {
  attached_ = true;
  watch_ = early.watch;
  watched_events_ = early.events;
  loop_->Attach(early, shared_from_this(), 0);
  listener_->OnStarted(id_);
  Update();
}

void Terminal::OnReady(int /*tag*/) {
  Receive();
  Send();
  Update();
}

void Terminal::OnTimer(int tag) {
  poll_timer_ = 0;
  OnReady(tag);
}

// A read that finds nothing waits for what is on its way from the command, so after its end nothing is missed.
size_t Terminal::ReadOnce(size_t most) {
  const auto scratch = loop_->scratch();
  const ssize_t count = sys::Read(pty_.host.get(), scratch.data(), std::min(most, scratch.size()));
  if (count > 0) return static_cast<size_t>(count);
  // EIO: no command's end is open any more, our own included, which only a superuser's vhangup can do.
  lost_ = count == 0 || errno != EAGAIN;
  return 0;
}

void Terminal::Append(size_t size) {
  bool tell = false;
  {
    const std::lock_guard lock(mutex_);
    output_.Append(loop_->scratch().first(size));
    tell = !std::exchange(told_readable_, true);
  }
  if (tell) listener_->OnReadable(id_);
}

void Terminal::Receive() {
  for (size_t taken = 0; taken < kTurnBytes && !lost_ && pty_.host.valid();) {
    size_t room = 0;
    {
      const std::lock_guard lock(mutex_);
      room = paused_ ? 0 : output_.room();
      if (room == 0) paused_ = true;
    }
    if (room == 0) return;
    const size_t size = ReadOnce(room);
    if (size == 0) return;
    taken += size;
    Append(size);
  }
}

void Terminal::Send() {
  uint64_t before = 0;
  uint64_t after = 0;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    before = input_.passed();
    input_.Pass([this](const char* data, size_t size) -> size_t {
      const ssize_t count = sys::Write(pty_.host.get(), data, std::min(size, kMostWritten));
      return count > 0 ? static_cast<size_t>(count) : 0;  // what cannot be written now waits
    });
    after = input_.passed();
  }
  if (after > before) listener_->OnWritten(id_, after);
}

// Watches for what there is a use for, and for nothing else: a program that does not read costs nothing.
void Terminal::Update() {
  if (!attached_ || !pty_.host.valid()) return;
  uint32_t wanted = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!paused_ && !lost_) wanted |= EPOLLIN;
    if (!input_.empty() && !lost_) wanted |= EPOLLOUT;
  }
  if (watch_ == 0 && wanted != 0) {
    loop_->Cancel(poll_timer_);
    poll_timer_ = loop_->At(Clock::now() + kPollPause, shared_from_this(), 0);
  }
  if (watch_ == 0 || wanted == watched_events_) return;
  watched_events_ = wanted;
  if (lost_) {
    loop_->Unwatch(std::exchange(watch_, 0));  // its hangup would be told for ever
  } else {
    loop_->Change(watch_, wanted);
  }
}

void Terminal::End() {
  size_t taken = 0;
  while (!lost_ && pty_.host.valid() && taken < kMostQueued) {
    const size_t size = ReadOnce(kMostQueued - taken);
    if (size == 0) break;
    taken += size;
    Append(size);
  }
  if (watch_ != 0) loop_->Unwatch(std::exchange(watch_, 0));
  loop_->Cancel(std::exchange(poll_timer_, 0));
  bool was_ended = false;
  {
    const std::lock_guard lock(mutex_);
    was_ended = std::exchange(ended_, true);
    input_.Clear();
    pty_.host.Reset();
    pty_.command.Reset();
  }
  if (!was_ended) listener_->OnReadable(id_);
}

TerminalOutput Terminal::Take(size_t most) {
  TerminalOutput taken;
  bool resume = false;
  {
    const std::lock_guard lock(mutex_);
    const auto bytes = output_.Take(most);
    taken.bytes.assign(bytes.begin(), bytes.end());
    taken.ended = ended_ && output_.empty();
    if (output_.empty()) told_readable_ = false;
    if (paused_ && output_.size() <= kOutputCapacity / 2) {
      paused_ = false;
      resume = !ended_;
    }
  }
  if (resume) loop_->Post([self = shared_from_this()] { self->OnReady(0); });
  return taken;
}

WriteAnswer Terminal::Write(std::string data) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return WriteAnswer::kEnded;
    if (!input_.HasRoomFor(data.size())) return WriteAnswer::kFull;
    termios modes{};
    if (tcgetattr(pty_.host.get(), &modes) == 0 && !line_limit_.Admits(modes, data)) return WriteAnswer::kLineTooLong;
    input_.Add(std::move(data));
  }
  loop_->Post([self = shared_from_this()] {
    self->Send();
    self->Update();
  });
  return WriteAnswer::kQueued;
}

void Terminal::Resize(TerminalSize size) {
  const std::lock_guard lock(mutex_);
  if (!ended_) (void)SetSize(pty_.host.get(), size);
}

pid_t Terminal::foreground() const {
  const std::lock_guard lock(mutex_);
  pid_t group = 0;
  if (ended_ || ioctl(pty_.host.get(), TIOCGPGRP, &group) == -1) return 0;
  return group;
}

}  // namespace quiesce
