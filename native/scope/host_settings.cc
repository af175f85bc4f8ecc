#include "scope/host_settings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "os/sys.h"
#include "os/unique_fd.h"

namespace quiesce {

namespace {

constexpr mode_t kUsualUmask = 022;
constexpr std::string_view kUmaskKey = "\nUmask:\t";

// umask(2) can only be read by changing it, which other threads would notice.
mode_t ReadUmask() {
  const UniqueFd status(sys::OpenAt(AT_FDCWD, "/proc/self/status", O_RDONLY));
  std::array<char, 256> beginning;  // the second line; the first is the name, of 64 characters at most
  const ssize_t size = status.valid() ? sys::Read(status.get(), beginning.data(), beginning.size()) : 0;
  return ParseUmask({beginning.data(), size > 0 ? static_cast<size_t>(size) : 0});
}

}  // namespace

mode_t ParseUmask(std::string_view status) {
  const size_t key = status.find(kUmaskKey);
  if (key == std::string_view::npos) return kUsualUmask;
  const std::string_view digits = status.substr(key + kUmaskKey.size());
  unsigned umask = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), umask, 8);
  return error == std::errc() ? static_cast<mode_t>(umask) : kUsualUmask;
}

InheritedSettings ReadHostSettings() {
  InheritedSettings settings;
  settings.umask = ReadUmask();
  for (unsigned number = 0; number < InheritedSettings::kLimits; ++number) {
    // Every number below RLIM_NLIMITS is known.
    (void)getrlimit(static_cast<decltype(RLIMIT_CPU)>(number), &settings.limits[number]);
  }
  return settings;
}

HostIds ReadHostIds() {
  HostIds ids{};
  (void)getresuid(&ids.users[0], &ids.users[1], &ids.users[2]);     // cannot fail
  (void)getresgid(&ids.groups[0], &ids.groups[1], &ids.groups[2]);  // cannot fail
  const int count = getgroups(0, nullptr);
  ids.more_groups.resize(count > 0 ? static_cast<size_t>(count) : 0);
  (void)getgroups(count, ids.more_groups.data());  // another thread has changed them: then the ids differ anyway
  struct stat root {};
  if (stat("/", &root) == 0) {
    ids.root_device = root.st_dev;
    ids.root_inode = root.st_ino;
  }
  return ids;
}

}  // namespace quiesce
