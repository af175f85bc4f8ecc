#include "support/supervised.h"

#include <fcntl.h>
#include <unistd.h>

#include <sstream>

#include "os/clock.h"
#include "os/file.h"

namespace quiesce::testing {

namespace {

// After the name, which may hold spaces.
std::istringstream StatOf(pid_t pid) {
  auto text = ReadFileAt(AT_FDCWD, ("/proc/" + std::to_string(pid) + "/stat").c_str());
  if (!text.ok()) return std::istringstream("X 0");
  return std::istringstream(text.value().substr(text.value().rfind(')') + 1));
}

}  // namespace

std::shared_ptr<RangeSource> Supervisors(HostCrash host_crash) {
  return std::make_shared<SupervisorRangeSource>(QUIESCE_SUPERVISOR, host_crash);
}

char StateOf(pid_t pid) {
  char state = 'X';
  StatOf(pid) >> state;
  return state;
}

pid_t ParentOf(pid_t pid) {
  char state = 'X';
  pid_t parent = 0;
  StatOf(pid) >> state >> parent;
  return parent;
}

bool IsRunning(pid_t pid) { return StateOf(pid) != 'X' && StateOf(pid) != 'Z'; }

bool Eventually(const std::function<bool()>& condition) {
  const TimePoint latest = Clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (Clock::now() > latest) return false;
    usleep(1000);
  }
  return true;
}

}  // namespace quiesce::testing
