#include "range/cgroup_control.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "os/clock.h"
#include "os/file.h"
#include "os/unique_fd.h"
#include "range/cgroup_folder.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

// A folder with the files that a cgroup v2 folder would have; what is written to one is its content afterwards.
class ControlFiles {
 public:
  ControlFiles() : path_("/tmp/quiesce-control-" + std::to_string(getpid())) {
    std::filesystem::create_directory(path_);
    folder_.Reset(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~ControlFiles() { std::filesystem::remove_all(path_); }
  ControlFiles(const ControlFiles&) = delete;
  ControlFiles& operator=(const ControlFiles&) = delete;

  void Put(const char* name, std::string_view content = {}) const { std::ofstream(path_ + "/" + name) << content; }

  [[nodiscard]] std::string Content(const char* name) const {
    std::ifstream file(path_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] CgroupControl control() const { return CgroupControl(folder_.get()); }

 private:
  std::string path_;
  UniqueFd folder_;
};

void CheckRefusal(const std::optional<LimitRefusal>& refusal, Limit limit, int error, std::string_view file) {
  REQUIRE(refusal.has_value());
  CHECK(refusal->limit == limit);
  CHECK(refusal->error.number == error);
  CHECK(refusal->error.path == file);
}

}  // namespace

TEST_CASE("a folder hands down a controller that it has, and writes nothing for one that it hands down already") {
  const ControlFiles files;
  files.Put("cgroup.controllers", "cpuset cpu io memory hugetlb pids\n");
  files.Put("cgroup.subtree_control");
  CHECK_FALSE(files.control().HandDown({.pids = 5}).has_value());
  CHECK(files.Content("cgroup.subtree_control") == "+pids");
  files.Put("cgroup.subtree_control", "memory pids cpu\n");
  CHECK_FALSE(files.control().HandDown({.memory_bytes = 1, .pids = 5, .cpus = 1}).has_value());
  CHECK(files.Content("cgroup.subtree_control") == "memory pids cpu\n");
}

TEST_CASE("a controller that a folder does not have is refused at its list, not confused with one of a longer name") {
  const ControlFiles files;
  files.Put("cgroup.controllers", "cpuset hugetlb\n");
  files.Put("cgroup.subtree_control", "cpuset\n");
  CheckRefusal(files.control().HandDown({.cpus = 0.5}), Limit::kCpus, ENOTSUP, "cgroup.controllers");
  CheckRefusal(files.control().HandDown({.memory_bytes = 1, .cpus = 0.5}), Limit::kMemory, ENOTSUP,
               "cgroup.controllers");
  CHECK(files.Content("cgroup.subtree_control") == "cpuset\n");
}

TEST_CASE("a folder that holds processes refuses to hand down, at the file and with the error of the kernel") {
  const ControlFiles files;
  files.Put("cgroup.controllers", "memory pids\n");
  files.Put("cgroup.subtree_control");
  const Fault fault(Call::kWrite, EBUSY, {.path_part = "cgroup.subtree_control"});
  CheckRefusal(files.control().HandDown({.memory_bytes = 1}), Limit::kMemory, EBUSY, "cgroup.subtree_control");
}

TEST_CASE("a folder of another kind of file system refuses at the file that it lacks") {
  const ControlFiles files;
  CheckRefusal(files.control().HandDown({.pids = 1}), Limit::kPids, ENOENT, "cgroup.subtree_control");
  CheckRefusal(files.control().Hold({.pids = 1}), Limit::kPids, ENOENT, "pids.max");
  CHECK_FALSE(files.control().HandDown({}).has_value());
  CHECK_FALSE(files.control().Hold({}).has_value());
}

// With whatever controller this host has: the rules are the same for each.
TEST_CASE("the kernel hands a controller down from folder to folder, and from none that holds a process") {
  const std::string parent = CgroupFolderOrSkip();
  if (parent.empty()) return;
  const Tidy tidy(parent);
  const UniqueFd top(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::string listed = ReadFileAt(top.get(), "cgroup.controllers").value();
  const std::string controller = listed.substr(0, listed.find_first_of(" \n"));
  if (controller.empty()) {
    const Status refused = CgroupControl(top.get()).HandDownOne("memory");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().number == ENOTSUP);
    return;
  }
  const bool had = ListsController(ReadFileAt(top.get(), "cgroup.subtree_control").value(), controller);
  const Status first = CgroupControl(top.get()).HandDownOne(controller.c_str());
  if (!first.ok()) {
    CHECK(first.error().number == EBUSY);
    return;
  }
  {
    const std::string name = "quiesce-" + std::to_string(getpid()) + "-handing";
    auto folder = CgroupFolder::Create(top.get(), name);
    REQUIRE(folder.ok());
    auto nested = CgroupFolder::Create(folder.value().fd(), "nested");
    REQUIRE(nested.ok());
    CHECK(ReadFileAt(nested.value().fd(), "cgroup.controllers").value().empty());
    CHECK(CgroupControl(folder.value().fd()).HandDownOne(controller.c_str()).ok());
    CHECK(ReadFileAt(nested.value().fd(), "cgroup.controllers").value() == controller + "\n");

    RuntimeFixture fixture;
    const auto member = fixture.Spawn(BashRequest("read -r _ < <(sleep 60)"));
    REQUIRE(member->pid() > 0);
    REQUIRE(WriteFileAt(nested.value().fd(), "cgroup.procs", std::to_string(member->pid())).ok());
    const Status refused = CgroupControl(nested.value().fd()).HandDownOne(controller.c_str());
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().number == EBUSY);
    CHECK(refused.error().path == "cgroup.subtree_control");
    fixture.runtime->Kill(member);
    CHECK(fixture.recorder.WaitQuiescent(*member));
    const TimePoint limit = Clock::now() + std::chrono::seconds(10);
    while (!folder.value().Remove().ok() && Clock::now() < limit) usleep(1000);
  }
  if (!had) CHECK(WriteFileAt(top.get(), "cgroup.subtree_control", "-" + controller).ok());
}

TEST_CASE("each limit is written to its file in the words of the kernel") {
  const ControlFiles files;
  for (const char* name : {"memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.max"}) files.Put(name);
  CHECK_FALSE(files.control().Hold({.memory_bytes = 536870912, .pids = 40, .cpus = 1.5}).has_value());
  CHECK(files.Content("memory.max") == "536870912");
  CHECK(files.Content("memory.swap.max") == "0");
  CHECK(files.Content("memory.oom.group") == "1");
  CHECK(files.Content("pids.max") == "40");
  CHECK(files.Content("cpu.max") == "150000 100000");
  CHECK_FALSE(files.control().Hold({.cpus = 0.01}).has_value());
  CHECK(files.Content("cpu.max").starts_with("1000 100000"));
}

TEST_CASE("only what is asked for is written, and a kernel without swap or without groups of victims is no refusal") {
  const ControlFiles files;
  files.Put("memory.max");
  files.Put("pids.max", "max\n");
  CHECK_FALSE(files.control().Hold({.memory_bytes = 4096}).has_value());
  CHECK(files.Content("memory.max") == "4096");
  CHECK(files.Content("pids.max") == "max\n");
  const Fault fault(Call::kWrite, EACCES, {.path_part = "memory.max"});
  CheckRefusal(files.control().Hold({.memory_bytes = 4096}), Limit::kMemory, EACCES, "memory.max");
}

TEST_CASE("counters are what their files say, and nothing where there is no such file") {
  const ControlFiles files;
  files.Put("memory.peak", "123456789\n");
  files.Put("pids.peak", "17\n");
  files.Put("memory.events", "low 0\nhigh 0\nmax 31\noom 2\noom_kill 3\noom_group_kill 1\n");
  const TreeUsage usage = files.control().ReadCounters();
  CHECK(usage.memory_peak_bytes == 123456789U);
  CHECK(usage.pids_peak == 17U);
  CHECK(usage.oom_kills == 3U);
  CHECK_FALSE(usage.cpu_ms.has_value());
}

TEST_CASE("counters without their files are not known") {
  const ControlFiles files;
  files.Put("memory.events", "oom_group_kill 1\n");
  const TreeUsage usage = files.control().ReadCounters();
  CHECK_FALSE(usage.memory_peak_bytes.has_value());
  CHECK_FALSE(usage.pids_peak.has_value());
  CHECK_FALSE(usage.oom_kills.has_value());
}

TEST_CASE("a count is found behind its whole key only") {
  CHECK(FindCount("usage_usec 5\nuser_usec 4\n", "usage_usec") == 5U);
  CHECK(FindCount("a 1\nusage_usec 18446744073709551615", "usage_usec") == 18446744073709551615U);
  for (const char* text : {"", "\n", "usage_usec", "usage_usec \n", "usage_usecs 5\n", "xusage_usec 5\n",
                           "usage_usec x\n", "usage_usec 18446744073709551616\n"}) {
    CAPTURE(text);
    CHECK_FALSE(FindCount(text, "usage_usec").has_value());
  }
}

}  // namespace quiesce::testing
