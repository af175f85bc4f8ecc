// Notices when the environment of the host process changes. On the main thread Node's process.env is this environment,
// and comparing it takes a microsecond where reading it through process.env takes fifty.
#pragma once

#include <cstdint>
#include <string>

namespace quiesce {

class HostEnvironment {
 public:
  // Grows whenever the content differs from that at the last call. For the thread that may change the environment.
  uint64_t Version();

 private:
  std::string last_;  // every entry followed by one NUL
  uint64_t version_ = 0;
};

}  // namespace quiesce
