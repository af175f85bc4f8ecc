#include "os/host_environment.h"

#include <unistd.h>

#include <cstring>
#include <string_view>

extern char** environ;  // NOLINT(readability-redundant-declaration): libc declares it for GNU sources only

namespace quiesce {

namespace {

bool IsSame(std::string_view last) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const size_t size = std::strlen(*entry) + 1;
    if (last.size() < size || std::memcmp(last.data(), *entry, size) != 0) return false;
    last.remove_prefix(size);
  }
  return last.empty();
}

}  // namespace

uint64_t HostEnvironment::Version() {
  if (version_ > 0 && IsSame(last_)) return version_;
  last_.clear();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) last_.append(*entry).push_back('\0');
  return ++version_;
}

}  // namespace quiesce
