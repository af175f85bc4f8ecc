#include "process/start_gate.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "os/file.h"
#include "os/sys.h"

namespace quiesce {

namespace {

// So many for each processor keep it busy while some of them wait for a disk; more only take turns.
constexpr size_t kFewForEachProcessor = 4;
constexpr std::chrono::milliseconds kLongestWait{25};
constexpr std::chrono::milliseconds kLook{3};

}  // namespace

// "0.20 0.18 0.12 3/80 11206": the fourth field is runnable/all.
size_t ParseRunnable(std::string_view loadavg) {
  for (int field = 0; field < 3; ++field) {
    const size_t space = loadavg.find(' ');
    if (space == std::string_view::npos) return 0;
    loadavg.remove_prefix(space + 1);
  }
  size_t runnable = 0;
  const auto [end, error] = std::from_chars(loadavg.data(), loadavg.data() + loadavg.size(), runnable);
  const bool whole = error == std::errc() && end != loadavg.data() + loadavg.size() && *end == '/';
  return whole ? runnable : 0;
}

StartGate::StartGate()
    : StartGate(UniqueFd(sys::OpenAt(AT_FDCWD, "/proc/loadavg", O_RDONLY)),
                kFewForEachProcessor * std::max(1U, std::thread::hardware_concurrency())) {}

bool StartGate::IsCrowdedNow() const {
  if (live_ < few_ || !loadavg_.valid()) return false;
  auto text = ReadAgain(loadavg_.get());
  return text.ok() && ParseRunnable(text.value()) >= few_;
}

bool StartGate::IsCrowded() const {
  const std::lock_guard lock(mutex_);
  return IsCrowdedNow();
}

bool StartGate::WaitForRoom() const {
  std::unique_lock lock(mutex_);
  const uint64_t seen = departures_;
  const TimePoint latest = Clock::now() + kLongestWait;
  for (TimePoint now = Clock::now(); now < latest && departures_ == seen && IsCrowdedNow(); now = Clock::now()) {
    (void)room_.wait_until(lock, std::min(latest, now + kLook));
  }
  return departures_ != seen;
}

void StartGate::Enter() {
  const std::lock_guard lock(mutex_);
  ++live_;
}

void StartGate::Leave() {
  {
    const std::lock_guard lock(mutex_);
    --live_;
    ++departures_;
  }
  room_.notify_one();
}

}  // namespace quiesce
