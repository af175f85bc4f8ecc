#include "launcher/spill_remains.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

namespace {

std::vector<std::string> PlainFilesIn(UniqueFd folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(folder.get()), closedir);
  if (listing == nullptr) return names;
  const int fd = folder.Release();                        // the listing closes it
  while (const dirent* entry = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    struct stat facts {};
    if (fstatat(fd, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == -1 || !S_ISREG(facts.st_mode)) continue;
    names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

void SpillRemains::Remove() const {
  for (const std::string& path : folders_) {
    UniqueFd folder(sys::OpenAt(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    if (!folder.valid()) continue;  // never made, or removed by now
    for (const std::string& name : PlainFilesIn(std::move(folder))) {
      std::string file = path;
      file.append("/").append(name);
      if (!kept_.contains(file)) (void)unlink(file.c_str());  // nobody is left to be told
    }
    (void)rmdir(path.c_str());  // ENOTEMPTY: something is kept
  }
}

}  // namespace quiesce
