// The host's end of the terminal of one command: what the command says is read by the reactor into a bounded queue,
// what it is told is written when the kernel has room for it. The command's life is a Process's business, which tells
// when it begins and ends.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "os/event_loop.h"
#include "terminal/input_queue.h"
#include "terminal/line_limit.h"
#include "terminal/output_queue.h"
#include "terminal/pty.h"

namespace quiesce {

// Told on the reactor thread; must not block.
class TerminalListener {
 public:
  TerminalListener() = default;
  TerminalListener(const TerminalListener&) = delete;
  TerminalListener& operator=(const TerminalListener&) = delete;
  virtual ~TerminalListener() = default;

  // The command runs.
  virtual void OnStarted(uint64_t id) = 0;
  // There is something to take where there was nothing, or the output has ended.
  virtual void OnReadable(uint64_t id) = 0;
  // `count` writes have been taken by the kernel so far.
  virtual void OnWritten(uint64_t id, uint64_t count) = 0;
};

// The numbers are part of the native API (src/native/binding.ts).
enum class WriteAnswer : uint8_t { kQueued = 0, kEnded = 1, kFull = 2, kLineTooLong = 3 };

struct TerminalOutput {
  std::vector<uint8_t> bytes;
  bool ended = false;  // nothing will follow
};

class Terminal : public EventHandler, public std::enable_shared_from_this<Terminal> {
 public:
  // `loop` and `listener` are borrowed and outlive every terminal. Without a host's end it has ended.
  Terminal(uint64_t id, Pty pty, EventLoop* loop, TerminalListener* listener);
  ~Terminal() override;

  // --- the spawner's and the reactor's threads ---

  // To be watched for EPOLLIN.
  [[nodiscard]] int fd() const { return pty_.host.get(); }
  void Attach(const EventLoop::EarlyWatch& early);
  // The command has ended, or never began: takes what the kernel still holds, then closes both ends.
  void End();
  void OnReady(int tag) override;
  void OnTimer(int tag) override;

  // --- the host's thread ---

  TerminalOutput Take(size_t most);
  WriteAnswer Write(std::string data);
  // Does nothing after the end.
  void Resize(TerminalSize size);
  // The process group in the foreground, or 0 when there is none.
  [[nodiscard]] pid_t foreground() const;
  [[nodiscard]] dev_t device() const { return pty_.device; }

 private:
  void Receive();
  void Send();
  void Update();
  [[nodiscard]] size_t ReadOnce(size_t most);
  void Append(size_t size);

  const uint64_t id_;
  EventLoop* const loop_;
  TerminalListener* const listener_;

  // Reactor thread.
  uint64_t watch_ = 0;
  uint32_t watched_events_ = 0;
  uint64_t poll_timer_ = 0;
  bool attached_ = false;
  bool lost_ = false;  // cannot be read any more

  mutable std::mutex mutex_;  // for what follows; the reactor alone closes, and need not lock to use the descriptor
  Pty pty_;
  OutputQueue output_;
  InputQueue input_;
  LineLimit line_limit_;
  bool told_readable_ = false;
  bool paused_ = false;  // the queue was full, and nobody watches until half of it is free
  bool ended_;
};

}  // namespace quiesce
