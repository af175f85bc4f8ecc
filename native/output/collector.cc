#include "output/collector.h"

#include <algorithm>
#include <cerrno>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr size_t kTurnBytes = size_t{512} * 1024;

void AppendPieces(std::vector<uint8_t>* to, const Ring::Pieces& pieces) {
  to->insert(to->end(), pieces.first.begin(), pieces.first.end());
  to->insert(to->end(), pieces.second.begin(), pieces.second.end());
}

}  // namespace

void Collector::ReadTurn(std::span<uint8_t> scratch, TimePoint now) {
  for (size_t taken = 0; taken < kTurnBytes && !congested();) {
    const ssize_t count = sys::Read(pipe_.get(), scratch.data(), scratch.size());
    if (count == -1 && errno == EAGAIN) return;
    if (count <= 0) {
      at_end_ = true;  // an error on a pipe is as final as its end
      return;
    }
    taken += static_cast<size_t>(count);
    last_data_ = now;
    Keep(scratch.first(static_cast<size_t>(count)));
  }
}

void Collector::Keep(std::span<const uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  if (spill_max_bytes_ > 0 && !spill_over_) FeedSpill(bytes);
  ring_.Append(bytes);
}

void Collector::FeedSpill(std::span<const uint8_t> bytes) {
  const uint64_t total = ring_.total() + bytes.size();
  const bool fits_memory = total <= ring_.capacity();
  if (spill_ == nullptr && fits_memory) return;
  if (total > spill_max_bytes_) {
    spill_over_ = true;
    if (spill_ != nullptr) spill_->Discard();
    return;
  }
  std::vector<uint8_t> chunk;
  if (spill_ == nullptr) {
    spill_ = make_spill_();
    AppendPieces(&chunk, ring_.From(0));  // nothing has been dropped before the first overflow
  }
  chunk.insert(chunk.end(), bytes.begin(), bytes.end());
  spill_->Append(std::move(chunk));
}

void Collector::End() {
  pipe_.Reset();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  ring_.Shrink();
  if (spill_ != nullptr && !spill_over_) spill_->Finish();
}

OutputWindow Collector::ReadFrom(uint64_t offset) const {
  const std::lock_guard lock(mutex_);
  OutputWindow window;
  window.window_start = ring_.start();
  window.start = std::clamp(offset, ring_.start(), ring_.total());
  window.ended = ended_;
  if (spill_ != nullptr) window.spill_path = spill_->path();
  const auto pieces = ring_.From(window.start);
  window.bytes.reserve(pieces.size());
  AppendPieces(&window.bytes, pieces);
  return window;
}

uint64_t Collector::total() const {
  const std::lock_guard lock(mutex_);
  return ring_.total();
}

bool Collector::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::optional<SysError> Collector::spill_error() const {
  const std::lock_guard lock(mutex_);
  return spill_ == nullptr ? std::nullopt : spill_->error();
}

size_t Collector::allocated() const {
  const std::lock_guard lock(mutex_);
  return ring_.allocated();
}

}  // namespace quiesce
