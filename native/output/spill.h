// The whole of one collected stream in a file, up to a cap. The reactor hands over bytes; the spill thread does every
// call that touches the file. A file that fails is given up once and for all: the stream itself goes on in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "os/result.h"
#include "output/spill_folder.h"
#include "output/spill_thread.h"

namespace quiesce {

class Spill : public std::enable_shared_from_this<Spill> {
 public:
  // More than this waiting for the disk, and reading of the stream pauses; less than half, and it goes on.
  static constexpr size_t kMaxPending = size_t{4} * 1024 * 1024;

  // `drained` is called on the spill thread when the backlog has become small or empty.
  Spill(SpillThread* thread, std::shared_ptr<SpillFolder> folder, const char* stream_name,
        std::function<void()> drained)
      : thread_(thread), folder_(std::move(folder)), stream_name_(stream_name), drained_(std::move(drained)) {}

  // EventLoop thread, in this order: bytes, then one of the two ends.
  void Append(std::vector<uint8_t> bytes);
  void Finish();   // the stream has ended: the file is complete
  void Discard();  // over the cap: the file goes, and its path with it

  [[nodiscard]] bool congested() const;
  // Everything that was handed over is in the file, or has been given up.
  [[nodiscard]] bool idle() const;
  // The file, once it exists and for as long as it is whole so far.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::optional<SysError> error() const;

 private:
  // Spill thread.
  void Write(const std::vector<uint8_t>& bytes);
  void Close();
  void GiveUp(SysError error);
  void Done(size_t size);

  SpillThread* const thread_;  // borrowed; outlives every stream that is still open
  const std::shared_ptr<SpillFolder> folder_;
  const char* const stream_name_;
  const std::function<void()> drained_;
  UniqueFd file_;          // spill thread only
  std::string file_path_;  // spill thread only
  bool gave_up_ = false;   // spill thread only

  mutable std::mutex mutex_;
  size_t pending_ = 0;  // bytes handed over and not yet written
  size_t jobs_ = 0;
  bool withdrawn_ = false;
  std::string path_;
  std::optional<SysError> error_;
};

}  // namespace quiesce
