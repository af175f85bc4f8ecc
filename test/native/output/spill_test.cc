#include "output/spill.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>

#include "os/file.h"
#include "output/spill_leftovers.h"

namespace quiesce {

namespace {

std::vector<uint8_t> Bytes(const std::string& text) { return {text.begin(), text.end()}; }

class SpillFixture {
 public:
  SpillFixture() : path("/tmp/quiesce-spill-test-" + std::to_string(getpid())) {}

  std::shared_ptr<Spill> Make() {
    return std::make_shared<Spill>(&thread, folder, "stdout", [this] {
      const std::lock_guard lock(mutex);
      drained.notify_all();
    });
  }

  void WaitIdle(const Spill& spill) {
    std::unique_lock lock(mutex);
    REQUIRE(drained.wait_for(lock, std::chrono::seconds(10), [&] { return spill.idle(); }));
  }

  std::string path;
  std::shared_ptr<SpillFolder> folder = std::make_shared<SpillFolder>(path);
  std::mutex mutex;
  std::condition_variable drained;
  SpillThread thread;
};

mode_t ModeOf(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

}  // namespace

TEST_CASE("a spill writes everything in order to a private file in a private folder") {
  SpillFixture fixture;
  const auto spill = fixture.Make();
  CHECK(spill->path().empty());
  spill->Append(Bytes("one "));
  spill->Append(Bytes("two"));
  spill->Finish();
  fixture.WaitIdle(*spill);
  const std::string file = spill->path();
  CHECK(file.starts_with(fixture.path + "/"));
  CHECK(ReadFileAt(AT_FDCWD, file.c_str()).value() == "one two");
  CHECK(ModeOf(file) == kUnclaimedMode);
  CHECK(ModeOf(fixture.path) == 0700);
  fixture.folder->Close();
  CHECK_FALSE(Exists(fixture.path));
}

TEST_CASE("a discarded spill removes its file and withdraws its path at once") {
  SpillFixture fixture;
  const auto spill = fixture.Make();
  spill->Append(Bytes("gone"));
  fixture.WaitIdle(*spill);
  const std::string file = spill->path();
  CHECK(Exists(file));
  spill->Discard();
  CHECK(spill->path().empty());
  fixture.WaitIdle(*spill);
  CHECK_FALSE(Exists(file));
  CHECK_FALSE(spill->error().has_value());
}

TEST_CASE("a spill that cannot be opened is told once and drops what follows") {
  SpillFixture fixture;
  fixture.folder = std::make_shared<SpillFolder>("/proc/quiesce-cannot-be-made");
  const auto spill = fixture.Make();
  spill->Append(Bytes("a"));
  spill->Append(Bytes("b"));
  spill->Finish();
  fixture.WaitIdle(*spill);
  CHECK(spill->path().empty());
  REQUIRE(spill->error().has_value());
  CHECK(spill->error()->number == ENOENT);
  CHECK(std::string(spill->error()->syscall) == "mkdir");
}

TEST_CASE("a folder that vanished is not made again") {
  SpillFixture fixture;
  const auto first = fixture.Make();
  first->Append(Bytes("a"));
  fixture.WaitIdle(*first);
  REQUIRE(unlink(first->path().c_str()) == 0);
  (void)unlink((fixture.path + "/" + kOwnerMark).c_str());
  REQUIRE(rmdir(fixture.path.c_str()) == 0);
  const auto second = fixture.Make();
  second->Append(Bytes("b"));
  fixture.WaitIdle(*second);
  REQUIRE(second->error().has_value());
  CHECK(second->error()->number == ENOENT);
  CHECK_FALSE(Exists(fixture.path));
}

TEST_CASE("a claimed spill file outlives its folder's end") {
  SpillFixture fixture;
  const auto spill = fixture.Make();
  spill->Append(Bytes("mine"));
  spill->Finish();
  fixture.WaitIdle(*spill);
  const std::string file = spill->path();
  CHECK(fixture.folder->Claim(file));
  CHECK_FALSE(fixture.folder->Claim("/tmp/not-a-spill-file"));
  fixture.folder->Close();
  CHECK(ReadFileAt(AT_FDCWD, file.c_str()).value() == "mine");
  REQUIRE(unlink(file.c_str()) == 0);
  REQUIRE(rmdir(fixture.path.c_str()) == 0);
}

}  // namespace quiesce
