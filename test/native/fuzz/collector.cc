// A collector behind a real pipe, with and without a spill, against the whole stream as a string: what the writer wrote
// in any chunks and the reactor took in any turns is there by absolute offset, and the file is the whole or not there.
#include "output/collector.h"

#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <limits>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/stream.h"
#include "fuzz/targets.h"
#include "os/file.h"

namespace quiesce::fuzz {

namespace {

// A pipe holds 16 pages, and a chunk that does not fit the rest of the last page begins a new one: two chunks after one
// another take more than a page together, so that half of the pipe always fits.
constexpr size_t kPipeBytes = size_t{16} * 4096 / 2;

// One spill thread for all runs: starting one costs more than a run.
class Disk {
 public:
  std::shared_ptr<Spill> MakeSpill() {
    return std::make_shared<Spill>(&thread_, folder_, "stdout", [this] {
      const std::lock_guard lock(mutex_);
      idle_.notify_all();
    });
  }

  void WaitFor(const Collector& collector) {
    std::unique_lock lock(mutex_);
    const bool idle = idle_.wait_for(lock, std::chrono::seconds(30), [&] { return collector.spill_idle(); });
    Require(idle, "what was handed to the spill comes to an end");
  }

  void Remove(const std::string& path) { folder_->Remove(path); }

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  std::shared_ptr<SpillFolder> folder_ =
      std::make_shared<SpillFolder>("/tmp/quiesce-fuzz-spill-" + std::to_string(getpid()));
  SpillThread thread_;
};

Disk& TheDisk() {
  static Disk disk;
  return disk;
}

class Stream {
 public:
  Stream(size_t max_bytes, uint64_t spill_max_bytes, size_t scratch_bytes)
      : max_bytes_(max_bytes),
        spill_max_bytes_(spill_max_bytes),
        scratch_(scratch_bytes),
        collector_(max_bytes, spill_max_bytes, [] { return TheDisk().MakeSpill(); }) {
    auto pipe = MakePipe();
    Require(pipe.ok() && SetNonBlocking(pipe.value().reader.get()).ok(), "there is a pipe");
    collector_.Attach(std::move(pipe.value().reader));
    writer_ = std::move(pipe.value().writer);
  }

  void Write(size_t size) {
    if (waiting_ + size > kPipeBytes) ReadTurn();
    const std::string text = StreamText(written_.size(), size);
    Require(write(writer_.get(), text.data(), text.size()) == static_cast<ssize_t>(size), "the pipe takes the chunk");
    written_ += text;
    waiting_ += size;
  }

  void ReadTurn() {
    collector_.ReadTurn(scratch_, Clock::now());
    waiting_ = 0;
    Require(!collector_.at_end(), "a stream whose writer is open has not ended");
  }

  void Check(uint64_t offset) const {
    const std::string seen = written_.substr(0, written_.size() - waiting_);
    const size_t kept_from = seen.size() - std::min(seen.size(), max_bytes_);
    const OutputWindow window = collector_.ReadFrom(offset);
    Require(collector_.total() == seen.size(), "the total is what was taken");
    Require(window.window_start == kept_from, "the window is as large as its limit");
    Require(window.start == std::clamp<uint64_t>(offset, kept_from, seen.size()), "an offset is moved into the window");
    Require(std::string(window.bytes.begin(), window.bytes.end()) == seen.substr(window.start),
            "the bytes are those of the stream from the offset on");
    Require(window.ended == collector_.ended(), "a window knows the end");
  }

  void End() {
    writer_.Reset();
    collector_.ReadTurn(scratch_, Clock::now());
    collector_.ReadTurn(scratch_, Clock::now());
    waiting_ = 0;
    Require(collector_.at_end(), "a stream without writers ends");
    collector_.End();
    Require(collector_.ended(), "the end is told");
    TheDisk().WaitFor(collector_);
    CheckFile();
  }

 private:
  void CheckFile() const {
    const std::string path = collector_.ReadFrom(0).spill_path;
    const bool wanted = spill_max_bytes_ > 0 && written_.size() > max_bytes_ && written_.size() <= spill_max_bytes_;
    Require(!collector_.spill_error().has_value(), "a disk that works gives no error");
    Require(path.empty() != wanted, "there is a file if the stream overflows memory and fits the cap");
    if (path.empty()) return;
    std::ifstream file(path, std::ios::binary);
    Require(std::string(std::istreambuf_iterator<char>(file), {}) == written_, "the file is the whole stream");
    file.close();
    TheDisk().Remove(path);
  }

  const size_t max_bytes_;
  const uint64_t spill_max_bytes_;
  std::vector<uint8_t> scratch_;
  Collector collector_;
  UniqueFd writer_;
  std::string written_;
  size_t waiting_ = 0;  // in the pipe
};

}  // namespace

// Input: limits of memory, spill (0: none) and scratch, then operations of two bytes each: `r` takes a turn, `e` looks
// past the end, any other writes a chunk in steps of 1 or 13 and looks from its size on.
void FuzzCollector(std::span<const uint8_t> bytes) {
  Input input(bytes);
  const size_t max_bytes = size_t{1} + input.Byte();
  const uint64_t spill_max_bytes = uint64_t{input.Byte()} * 16;
  Stream stream(max_bytes, spill_max_bytes, size_t{1} + input.Byte() * size_t{32});
  while (!input.empty()) {
    const uint8_t operation = input.Byte();
    const size_t size = input.Byte();
    if (operation == 'r') {
      stream.ReadTurn();
    } else if (operation == 'e') {
      stream.Check(std::numeric_limits<uint64_t>::max() - size);
    } else {
      stream.Write(size * (operation % 2 == 0 ? 1 : 13));
    }
    stream.Check(size);
  }
  stream.End();
  for (const uint64_t offset : {uint64_t{0}, uint64_t{max_bytes}, std::numeric_limits<uint64_t>::max()}) {
    stream.Check(offset);
  }
}

}  // namespace quiesce::fuzz
