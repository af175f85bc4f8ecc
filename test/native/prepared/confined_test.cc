// Commands in confinements that the real runner prepares: the steps of the child, what happens when one of them fails,
// and what happens when the host changes in the moment before them.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "range/cgroup_range.h"
#include "spawn/clone_support.h"
#include "support/command.h"
#include "support/confinement.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

void CheckConfined(RuntimeFixture* fixture, const Place& place) {
  const std::string script = "cd " + place.folder() +
                             " && echo x > workspace/made && ! { echo x > outside; } 2> /dev/null && rm workspace/made"
                             " && readlink /proc/self/ns/mnt && cat /proc/self/cgroup";
  const auto process = fixture->RunToEnd(Confined(script, SourceOf(*fixture, place)));
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.settled.has_value());
  CHECK(record.settled->exit.exit_code == 0);
  char own[64] = "";
  CHECK(readlink("/proc/self/ns/mnt", own, sizeof own - 1) > 0);
  CHECK(TextOf(process->output()).starts_with("mnt:["));
  CHECK_FALSE(TextOf(process->output()).starts_with(own));
}

void CheckFailure(RuntimeFixture* fixture, const Place& place, const char* step, int error) {
  const auto process = fixture->RunToEnd(Confined("touch " + place.workspace() + "/ran", SourceOf(*fixture, place)));
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.failed.has_value());
  CHECK(record.failed->stage == SpawnStage::kSandbox);
  CHECK(std::string(record.failed->step) == step);
  CHECK(record.failed->error == error);
  CHECK(std::string(process->trouble().syscall) == step);
  CHECK(access((place.workspace() + "/ran").c_str(), F_OK) == -1);
}

// Changes the host after each look at the confinement and before the child is there.
class ChangingHost : public ConfinementSource {
 public:
  ChangingHost(std::shared_ptr<ConfinementSource> real, int changes, std::function<void()> change)
      : real_(std::move(real)), changes_(changes), change_(std::move(change)) {}

  Acquired Acquire(const ChildStack& stack, TimePoint latest) override {
    ++acquired;
    auto result = real_->Acquire(stack, latest);
    if (changes_-- > 0) change_();
    return result;
  }
  void Discard(const ChildConfinement& confinement) override {
    ++discarded;
    real_->Discard(confinement);
  }

  int acquired = 0;
  int discarded = 0;

 private:
  std::shared_ptr<ConfinementSource> real_;
  int changes_;
  std::function<void()> change_;
};

}  // namespace

TEST_CASE("a command runs in its confinement, and the next one in the same") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  for (int i = 0; i < 3; ++i) CheckConfined(&fixture, place);
}

TEST_CASE("a confined command is in its cgroup, however it got there") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty() || !CanConfine()) return;
  const Tidy tidy(folder);
  for (const bool into_cgroup : {true, false}) {
    clone_support.into_cgroup = into_cgroup;
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
    const Place place;
    CheckConfined(&fixture, place);
    const auto process = fixture.RunToEnd(Confined("cat /proc/self/cgroup", SourceOf(fixture, place)));
    CHECK(TextOf(process->output()).find("/command-") != std::string::npos);
    CHECK(clone_support.into_cgroup == into_cgroup);
  }
  clone_support.into_cgroup = true;
}

TEST_CASE("a step that fails in the child is named, and the command does not run") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  CheckConfined(&fixture, place);  // prepared from here on, so that the faults meet the child alone
  const char* const entered[] = {"user namespace", "ipc namespace", "mount namespace"};
  for (int skip = 0; skip < 3; ++skip) {
    const Fault fault(Call::kSetns, EPERM, {.skip = skip, .times = 1});
    CheckFailure(&fixture, place, entered[skip], EPERM);
  }
  {
    const Fault fault(Call::kPrctl, EINVAL, {.times = 1});
    CheckFailure(&fixture, place, "no_new_privs", EINVAL);
  }
  if (geteuid() == 0) {
    const Fault fault(Call::kPrctl, EPERM, {.skip = 1, .times = 1});
    CheckFailure(&fixture, place, "capabilities", EPERM);
  }
  {
    const Fault fault(Call::kRestrict, E2BIG);
    CheckFailure(&fixture, place, "landlock", E2BIG);
  }
  {
    const Fault fault(Call::kKeyctl, ENOMEM);
    CheckFailure(&fixture, place, "session keyring", ENOMEM);
  }
  CheckConfined(&fixture, place);
}

TEST_CASE("a keyring that is refused for good is done without, one without room is waited for") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  for (const int error : {ENOSYS, EPERM}) {
    const Fault fault(Call::kKeyctl, error);
    CheckConfined(&fixture, place);
  }
  {
    const Fault fault(Call::kKeyctl, EDQUOT, {.times = 5});
    CheckConfined(&fixture, place);
    CHECK(fault.hits() == 5);
  }
  const Fault fault(Call::kKeyctl, EDQUOT);
  CheckFailure(&fixture, place, "session keyring", EDQUOT);
}

TEST_CASE("a host that changes right before the child enters costs one more preparation") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  auto source = std::make_shared<ChangingHost>(SourceOf(fixture, place), 1, [&] { place.Replace(); });
  const auto process = fixture.RunToEnd(Confined("echo x > " + place.workspace() + "/made && echo done", source));
  CHECK(TextOf(process->output()) == "done\n");
  CHECK(access((place.workspace() + "/made").c_str(), F_OK) == 0);
  CHECK(source->acquired == 2);
  CHECK(source->discarded == 1);
}

TEST_CASE("a host that never comes to rest is an error after the second try, and the command does not run") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  auto source = std::make_shared<ChangingHost>(SourceOf(fixture, place), 100, [&] { place.Replace(); });
  const auto process = fixture.RunToEnd(Confined("touch " + place.workspace() + "/ran", source));
  const auto record = fixture.recorder.Of(*process);
  REQUIRE(record.failed.has_value());
  CHECK(record.failed->stage == SpawnStage::kSandbox);
  CHECK(std::string(record.failed->step) == "freshness");
  CHECK(record.failed->error == ESTALE);
  CHECK(access((place.workspace() + "/ran").c_str(), F_OK) == -1);
  CHECK(source->acquired == 2);
  CHECK(source->discarded == 2);
}

TEST_CASE("the streams of a command survive the second try") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  auto source = std::make_shared<ChangingHost>(SourceOf(fixture, place), 1, [&] { place.Replace(); });
  SpawnRequest request = Confined("cat; echo error >&2", source);
  request.input.mode = StreamMode::kData;
  request.input.data = "all of it";
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) == "all of it");
  CHECK(TextOf(process->error()) == "error\n");
}

}  // namespace quiesce::testing
