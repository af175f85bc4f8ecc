#include "output/spill_leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "os/file.h"
#include "os/sys.h"

namespace quiesce {

namespace {

constexpr std::string_view kFolderPrefix = "quiesce-";
constexpr size_t kRandomDigits = 12;

std::optional<std::string> ReadLinkAt(int folder, const char* name) {
  std::array<char, 256> target{};
  const ssize_t size = readlinkat(folder, name, target.data(), target.size());
  if (size < 0 || static_cast<size_t>(size) == target.size()) return std::nullopt;
  return std::string(target.data(), static_cast<size_t>(size));
}

// Which boot of which machine, and which namespace of processes there.
std::string PlaceOfThisProcess() {
  auto boot = ReadFileAt(AT_FDCWD, "/proc/sys/kernel/random/boot_id");
  const auto space = ReadLinkAt(AT_FDCWD, "/proc/self/ns/pid");
  if (!boot.ok() || !space.has_value()) return {};
  return boot.value().substr(0, boot.value().find('\n')) + "/" + *space;
}

std::vector<std::string> NamesIn(int folder) {
  std::vector<std::string> names;
  UniqueFd own(sys::OpenAt(folder, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(own.get()), closedir);
  if (listing == nullptr) return names;
  (void)own.Release();                                    // the listing closes it
  while (const dirent* entry = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    names.emplace_back(entry->d_name);
  }
  return names;
}

bool IsAll(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// quiesce-NUMBER-RANDOM, as src/subprocess/local/spill-folder.ts chooses it.
bool IsFolderName(std::string_view name) {
  if (!name.starts_with(kFolderPrefix)) return false;
  name.remove_prefix(kFolderPrefix.size());
  const size_t dash = std::min(name.find('-'), name.size() - 1);
  const std::string_view random = name.substr(dash + 1);
  return IsAll(name.substr(0, dash), "0123456789") && random.size() == kRandomDigits &&
         IsAll(random, "0123456789abcdef");
}

UniqueFd OpenOwn(int parent, const char* name) {
  UniqueFd folder(sys::OpenAt(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  struct stat facts {};
  if (folder.valid() && (fstat(folder.get(), &facts) == -1 || facts.st_uid != geteuid())) folder.Reset();
  return folder;
}

bool IsUnclaimed(int folder, const char* name) {
  struct stat facts {};
  return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & S_ISVTX) != 0;
}

// What cannot be removed stays; nobody is there to be told.
void Remove(int parent, const char* name, int folder) {
  for (const std::string& file : NamesIn(folder)) {
    if (IsUnclaimed(folder, file.c_str())) (void)unlinkat(folder, file.c_str(), 0);
  }
  (void)unlinkat(folder, kOwnerMark, 0);
  (void)unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

std::string SpillOwner() {
  std::string place = PlaceOfThisProcess();
  return place.empty() ? place : place + "/" + std::to_string(getpid());
}

bool IsDeadOwner(std::string_view mark) {
  const std::string place = PlaceOfThisProcess();
  if (place.empty() || mark.size() <= place.size() + 1 || !mark.starts_with(place) || mark[place.size()] != '/') {
    return false;
  }
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(mark.data() + place.size() + 1, mark.data() + mark.size(), pid);
  if (error != std::errc() || end != mark.data() + mark.size() || pid <= 0) return false;
  // Another process may have its number by now: then this is left to a later sweep.
  return kill(pid, 0) == -1 && errno == ESRCH;
}

bool HasSpillOwner(const char* path) {
  const UniqueFd folder = OpenOwn(AT_FDCWD, path);
  return folder.valid() && ReadLinkAt(folder.get(), kOwnerMark).has_value();
}

void DisownSpillFolder(const char* path) {
  const UniqueFd folder = OpenOwn(AT_FDCWD, path);
  if (folder.valid()) (void)unlinkat(folder.get(), kOwnerMark, 0);  // it may never have had one
}

void RemoveSpillLeftovers(const char* path) {
  const UniqueFd folder = OpenOwn(AT_FDCWD, path);
  if (folder.valid()) Remove(AT_FDCWD, path, folder.get());
}

void SweepSpillFolders(const char* parent) {
  const UniqueFd above(sys::OpenAt(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY));
  if (!above.valid()) return;
  for (const std::string& name : NamesIn(above.get())) {
    if (!IsFolderName(name)) continue;
    const UniqueFd folder = OpenOwn(above.get(), name.c_str());
    if (!folder.valid()) continue;
    const auto mark = ReadLinkAt(folder.get(), kOwnerMark);
    if (mark.has_value() && IsDeadOwner(*mark)) Remove(above.get(), name.c_str(), folder.get());
  }
}

}  // namespace quiesce
