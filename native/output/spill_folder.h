// The private folder of one runtime's spill files. Made at the first overflow, not before, so that a host without a
// usable temporary folder notices nothing until a stream really overflows. Any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

struct SpillFile {
  UniqueFd fd;
  std::string path;
};

class SpillFolder {
 public:
  // `path` is the folder to make; it must not exist before.
  explicit SpillFolder(std::string path) : path_(std::move(path)) {}
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder() { Close(); }

  [[nodiscard]] const std::string& path() const { return path_; }

  // `on_made` is called once, when the folder has been made, by the thread that needed it. Before the first Create.
  void WhenMade(std::function<void()> on_made) { on_made_ = std::move(on_made); }

  // A new empty file, for the owner's eyes only. The folder is made once: if it vanishes it does not come back.
  Result<SpillFile> Create(const char* stream_name);

  // Removes a file that is not wanted any more.
  void Remove(const std::string& path);

  // Leaves a file to the caller: Close() will not remove it. False if there is no such file of this folder.
  bool Claim(const std::string& path);

  // Removes the files that nobody claimed, and the folder if that empties it.
  void Close();

 private:
  [[nodiscard]] Status MakeFolder();

  const std::string path_;
  std::function<void()> on_made_;
  std::mutex mutex_;
  bool made_ = false;
  std::unordered_set<std::string> files_;
  unsigned count_ = 0;
};

}  // namespace quiesce
