#include "support/terminals.h"

#include <doctest/doctest.h>

#include <chrono>

namespace quiesce::testing {

namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr size_t kTakeBytes = 65536;

}  // namespace

void TerminalRecorder::OnStarted(uint64_t id) {
  const std::lock_guard lock(mutex_);
  ++heard_[id].started;
  changed_.notify_all();
}

void TerminalRecorder::OnReadable(uint64_t id) {
  const std::lock_guard lock(mutex_);
  ++heard_[id].readable;
  changed_.notify_all();
}

void TerminalRecorder::OnWritten(uint64_t id, uint64_t count) {
  const std::lock_guard lock(mutex_);
  heard_[id].written = count;
  changed_.notify_all();
}

bool TerminalRecorder::WaitWritten(uint64_t id, uint64_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return heard_[id].written >= count; });
}

template <typename Until>
bool TerminalRecorder::Take(uint64_t id, Terminal& terminal, std::string* text, Until until) {
  while (true) {
    int seen = 0;
    {
      const std::lock_guard lock(mutex_);
      seen = heard_[id].readable;
    }
    const TerminalOutput taken = terminal.Take(kTakeBytes);
    text->append(taken.bytes.begin(), taken.bytes.end());
    if (until(*text, taken.ended)) return true;
    if (taken.ended) return false;
    if (!taken.bytes.empty()) continue;
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kPatience, [&] { return heard_[id].readable > seen; })) return false;
  }
}

bool TerminalRecorder::TakeUntil(const Runtime::InTerminal& at, std::string* text, const std::string& part) {
  return Take(at.process->id(), *at.terminal, text,
              [&](const std::string& all, bool /*ended*/) { return all.find(part) != std::string::npos; });
}

std::string TerminalRecorder::TakeAll(const Runtime::InTerminal& at) {
  std::string text;
  CHECK(Take(at.process->id(), *at.terminal, &text, [](const std::string& /*all*/, bool ended) { return ended; }));
  return text;
}

SpawnRequest TerminalRequest(const std::string& script) {
  SpawnRequest request = BashRequest(script);
  request.output = {};
  request.error = {};
  request.leftovers = Leftovers::kTerminateLater;
  return request;
}

}  // namespace quiesce::testing
