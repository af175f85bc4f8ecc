// Commands in terminals, through the runtime of the core, and what a listener hears of them.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <unordered_map>

#include "support/command.h"
#include "terminal/terminal.h"

namespace quiesce::testing {

// Every wait gives up after half a minute, so that a wrong core fails instead of hanging.
class TerminalRecorder : public TerminalListener {
 public:
  void OnStarted(uint64_t id) override;
  void OnReadable(uint64_t id) override;
  void OnWritten(uint64_t id, uint64_t count) override;

  bool WaitWritten(uint64_t id, uint64_t count);
  // Takes output into `text` until `until(text)` is true, or it has ended; whether that came.
  template <typename Until>
  bool Take(uint64_t id, Terminal& terminal, std::string* text, Until until);
  bool TakeUntil(const Runtime::InTerminal& at, std::string* text, const std::string& part);
  std::string TakeAll(const Runtime::InTerminal& at);

 private:
  struct Heard {
    int started = 0;
    int readable = 0;
    uint64_t written = 0;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<uint64_t, Heard> heard_;
};

// `bash -c script`, whose leftovers are ended behind it.
SpawnRequest TerminalRequest(const std::string& script);

}  // namespace quiesce::testing
