// The cache with preparing programs that fail, lie or hang; what a real one prepares is tested in
// test/sandbox/prepared.
#include "prepared/policy_cache.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "os/file.h"
#include "os/sys.h"
#include "spawn/child.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

constexpr std::chrono::seconds kPatience{10};

// A script that is started as if it prepared.
class Script {
 public:
  explicit Script(const std::string& text) {
    static int count = 0;
    path_ = "/tmp/quiesce-preparing-" + std::to_string(getpid()) + "-" + std::to_string(count++);
    const UniqueFd file(sys::OpenAt(AT_FDCWD, path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0700));
    const std::string whole = "#!/bin/sh\n" + text + "\n";
    REQUIRE(sys::Write(file.get(), whole.data(), whole.size()) == static_cast<ssize_t>(whole.size()));
  }
  ~Script() { (void)unlink(path_.c_str()); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Fixture {
  Fixture() : stack(std::move(ChildStack::Create().value())), null_device(sys::OpenAt(AT_FDCWD, "/dev/null", O_RDWR)) {
    null_device.Reset(fcntl(null_device.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    cache.emplace(null_device.get(), [](const std::function<void()>& job) { job(); });
  }

  SpawnFailure Failure(const std::string& program, std::chrono::milliseconds patience = kPatience) {
    auto source = cache->SourceOf(program + '\0' + "--hide" + '\0' + "/does/not/exist" + '\0');
    REQUIRE(source.ok());
    auto acquired = source.value()->Acquire(stack, Clock::now() + patience);
    REQUIRE(std::holds_alternative<SpawnFailure>(acquired));
    return std::get<SpawnFailure>(acquired);
  }

  ChildStack stack;
  UniqueFd null_device;
  std::optional<PolicyCache> cache;
};

void CheckFailure(const SpawnFailure& failure, int error, const std::string& text) {
  CHECK(failure.stage == SpawnStage::kSandbox);
  CHECK(std::string(failure.step) == "preparation");
  CHECK(failure.error == error);
  CHECK(failure.path == text);
}

}  // namespace

TEST_CASE("a program that cannot be started prepares nothing, and is named") {
  const Tidy tidy;
  Fixture fixture;
  CheckFailure(fixture.Failure("/does/not/exist"), ENOENT, "/does/not/exist");
  CheckFailure(fixture.Failure("/"), EACCES, "/");
}

TEST_CASE("a program that fails is quoted, with the first line of what it said") {
  const Tidy tidy;
  Fixture fixture;
  const Script script("echo \"runner: mounts: $*\" >&2; echo more >&2; exit 125");
  CheckFailure(fixture.Failure(script.path()), ENOTSUP, "runner: mounts: prepare --hide /does/not/exist -- 7");
  const Script silent("exit 0");
  CheckFailure(fixture.Failure(silent.path()), ENOTSUP, "");
}

TEST_CASE("a program that answers anything else is not believed") {
  const Tidy tidy;
  Fixture fixture;
  const Script liar("echo full >&7");
  CheckFailure(fixture.Failure(liar.path()), EPROTO, "");
}

TEST_CASE("a program that hangs is ended in time, and everything that it started with it") {
  const Tidy tidy;
  Fixture fixture;
  const Script hanging("sleep 600 & exec sleep 600");
  const TimePoint start = Clock::now();
  CheckFailure(fixture.Failure(hanging.path(), std::chrono::milliseconds(200)), ETIMEDOUT, "");
  CHECK(Clock::now() - start < kPatience);
}

TEST_CASE("while one prepares the others wait, each no longer than it may") {
  const Tidy tidy;
  Fixture fixture;
  const Script hanging("exec sleep 600");
  std::atomic<int> timeouts{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const ChildStack own = std::move(ChildStack::Create().value());
      auto source = fixture.cache->SourceOf(hanging.path() + '\0');
      auto acquired = source.value()->Acquire(own, Clock::now() + std::chrono::milliseconds(200));
      const auto* failure = std::get_if<SpawnFailure>(&acquired);
      if (failure != nullptr && failure->error == ETIMEDOUT) ++timeouts;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(timeouts == 4);
}

TEST_CASE("a host without descriptors or processes says which it lacks") {
  const Tidy tidy;
  Fixture fixture;
  const Script silent("exit 0");
  {
    const Fault fault(Call::kPipe, EMFILE);
    CheckFailure(fixture.Failure(silent.path()), EMFILE, "");
  }
  {
    const Fault fault(Call::kClone3, EAGAIN);
    CheckFailure(fixture.Failure(silent.path()), EAGAIN, silent.path());
  }
  {
    const Fault fault(Call::kOpen, EACCES, {.path_part = "mountinfo"});
    CheckFailure(fixture.Failure(silent.path()), EACCES, "/proc/self/mountinfo");
  }
}

TEST_CASE("an order that no caller can make has no source") {
  Fixture fixture;
  CHECK(fixture.cache->SourceOf("/runner").error().number == EINVAL);
}

}  // namespace quiesce::testing
