#include "output/spill_folder.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "os/sys.h"
#include "output/spill_leftovers.h"

namespace quiesce {

namespace {

std::string RandomName() {
  std::array<unsigned char, 6> bytes{};
  // Only to be unguessable; exclusive creation is what keeps names apart. Six bytes are never interrupted or short.
  (void)getrandom(bytes.data(), bytes.size(), 0);
  std::string name;
  for (const unsigned char byte : bytes) {
    std::array<char, 3> digits{};
    (void)snprintf(digits.data(), digits.size(), "%02x", byte);
    name += digits.data();
  }
  return name;
}

}  // namespace

Status SpillFolder::MakeFolder() {
  if (mkdir(path_.c_str(), 0700) == -1) return SysError{errno, "mkdir", path_};
  made_ = true;
  // Before the first file. Without the mark the folder stays if this process is killed.
  if (const std::string owner = SpillOwner(); !owner.empty()) {
    (void)symlink(owner.c_str(), (path_ + "/" + kOwnerMark).c_str());
  }
  if (on_made_) on_made_();
  return {};
}

Result<SpillFile> SpillFolder::Create(const char* stream_name) {
  const std::lock_guard lock(mutex_);
  if (!made_) {
    if (Status made = MakeFolder(); !made.ok()) return made.error();
  }
  std::string path = path_ + "/" + std::to_string(count_++) + "-" + RandomName() + "-" + stream_name + ".log";
  UniqueFd fd(sys::OpenAt(AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, kUnclaimedMode));
  if (!fd.valid()) return SysError{errno, "open", path};
  files_.insert(path);
  return SpillFile{std::move(fd), std::move(path)};
}

void SpillFolder::Remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  // A file that cannot be removed now stays listed, and is tried again by Close.
  if (files_.contains(path) && (unlink(path.c_str()) == 0 || errno == ENOENT)) files_.erase(path);
}

bool SpillFolder::Claim(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return files_.erase(path) == 1;
}

void SpillFolder::Close() {
  const std::lock_guard lock(mutex_);
  for (const std::string& path : files_) (void)unlink(path.c_str());
  files_.clear();
  if (made_) DisownSpillFolder(path_.c_str());
  // ENOTEMPTY: claimed files stay.
  if (made_) (void)rmdir(path_.c_str());
}

}  // namespace quiesce
