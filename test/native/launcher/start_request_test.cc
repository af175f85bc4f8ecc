#include "launcher/start_request.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "launcher/received_start.h"
#include "os/message.h"
#include "os/sys.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

constexpr char kFolderText[] = "/work";

// A plan with everything in it, in memory of its own.
class Example {
 public:
  explicit Example(std::string big = "value") : environment_{std::move(big)} {
    for (int i = 0; i < kFiles; ++i) {
      files_.emplace_back(fcntl(UniqueFd(memfd_create("start", MFD_CLOEXEC)).get(), F_DUPFD_CLOEXEC, 20));
    }
    argv_ = {program_, option_, nullptr};
    env_ = {environment_[0].data(), nullptr};
    candidates_ = {first_, second_, nullptr};
    shell_argv_ = {shell_, nullptr, option_, nullptr};
    roots_ = {{kFolderText, 77, 12}, {"/other", 78, 13}};
    confinement_.user_namespace = files_[2].get();
    confinement_.mount_namespace = files_[3].get();
    confinement_.ruleset = files_[4].get();
    confinement_.roots = roots_.data();
    confinement_.root_count = roots_.size();
    confinement_.dropped_capabilities = dropped_;
    confinement_.dropped_capability_count = sizeof dropped_;
    settings_.umask = 027;
    settings_.limits[RLIMIT_NOFILE] = {100, 200};
    plan.argv = argv_.data();
    plan.environment = env_.data();
    plan.candidates = candidates_.data();
    plan.shell_argv = shell_argv_.data();
    plan.cwd = kFolderText;
    plan.descriptors[0] = {files_[0].get(), 0};
    plan.descriptors[1] = {files_[1].get(), 7};
    plan.descriptor_count = 2;
    plan.closings[0] = {1, 6};
    plan.closings[1] = {8, ~0U};
    plan.closing_count = 2;
    plan.limits[0] = {Limit::kOpenFiles, RLIMIT_NOFILE, {40, 50}};
    plan.limit_count = 1;
    plan.oom_score = "500";
    plan.controlling_terminal = true;
    plan.confinement = &confinement_;
    plan.settings = &settings_;
  }

  [[nodiscard]] int folder() const { return files_[5].get(); }
  [[nodiscard]] int file(size_t index) const { return files_[index].get(); }

  ChildPlan plan;

 private:
  static constexpr int kFiles = 6;

  std::vector<UniqueFd> files_;
  char program_[8] = "program";
  char option_[4] = "-x";
  char first_[16] = "/bin/program";
  char second_[20] = "/usr/bin/program";
  char shell_[8] = "/bin/sh";
  std::vector<std::string> environment_;
  std::vector<char*> argv_;
  std::vector<char*> env_;
  std::vector<char*> candidates_;
  std::vector<char*> shell_argv_;
  std::vector<ConfinedRoot> roots_;
  uint8_t dropped_[2] = {3, 9};
  ChildConfinement confinement_;
  InheritedSettings settings_;
};

struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    here.Reset(ends[0]);
    there.Reset(ends[1]);
  }
  UniqueFd here;
  UniqueFd there;
};

struct Message {
  std::vector<char> bytes;
  std::vector<UniqueFd> fds;
};

Message Receive(int socket) {
  std::vector<char> buffer(kMostMessageBytes);
  auto received = ReceiveMessage(socket, buffer, MSG_DONTWAIT);
  REQUIRE(received.ok());
  buffer.resize(received.value().size);
  return {std::move(buffer), std::move(received.value().fds)};
}

Message Sent(const Example& example) {
  Pair pair;
  REQUIRE(SendStart(pair.there.get(), example.plan, example.folder()).ok());
  return Receive(pair.here.get());
}

std::vector<std::string> TextsOf(char* const* texts) {
  std::vector<std::string> all;
  for (; *texts != nullptr; ++texts) all.emplace_back(*texts);
  return all;
}

bool SameFile(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino;
}

void CheckSame(const Example& example, ReceivedStart* start) {
  const ChildPlan& got = *start->plan();
  CHECK(TextsOf(got.argv) == TextsOf(example.plan.argv));
  CHECK(TextsOf(got.environment) == TextsOf(example.plan.environment));
  CHECK(TextsOf(got.candidates) == TextsOf(example.plan.candidates));
  CHECK(std::string(got.shell_argv[0]) == "/bin/sh");
  CHECK(got.shell_argv[1] == nullptr);
  CHECK(TextsOf(got.shell_argv + 2) == TextsOf(example.plan.argv + 1));
  CHECK(std::string(got.cwd) == kFolderText);
  CHECK(std::string(got.oom_score) == "500");
  CHECK(got.controlling_terminal);
  CHECK(SameFile(start->folder(), example.folder()));
  REQUIRE(got.descriptor_count == 2);
  CHECK(got.descriptors[0].target == 0);
  CHECK(SameFile(got.descriptors[0].source, example.file(0)));
  CHECK(got.descriptors[1].target == 7);
  CHECK(SameFile(got.descriptors[1].source, example.file(1)));
  REQUIRE(got.closing_count == 2);
  CHECK(got.closings[1].first == 8);
  CHECK(got.closings[1].last == ~0U);
  REQUIRE(got.limit_count == 1);
  CHECK(got.limits[0].limit == Limit::kOpenFiles);
  CHECK(got.limits[0].resource == RLIMIT_NOFILE);
  CHECK(got.limits[0].values.soft == 40);
  CHECK(got.settings->umask == 027);
  CHECK(got.settings->limits[RLIMIT_NOFILE].rlim_cur == 100);
  CHECK(got.settings->limits[RLIMIT_NOFILE].rlim_max == 200);
  REQUIRE(got.confinement != nullptr);
  CHECK(SameFile(got.confinement->user_namespace, example.file(2)));
  CHECK(got.confinement->network_namespace == -1);
  CHECK(got.confinement->ipc_namespace == -1);
  CHECK(SameFile(got.confinement->mount_namespace, example.file(3)));
  CHECK(SameFile(got.confinement->ruleset, example.file(4)));
  REQUIRE(got.confinement->root_count == 2);
  CHECK(std::string(got.confinement->roots[1].path) == "/other");
  CHECK(got.confinement->roots[1].inode == 78);
  CHECK(got.confinement->roots[1].mount == 13);
  REQUIRE(got.confinement->dropped_capability_count == 2);
  CHECK(got.confinement->dropped_capabilities[1] == 9);
}

Result<std::unique_ptr<ReceivedStart>> Decode(Message message) {
  return ReceivedStart::Decode(message.bytes, std::move(message.fds));
}

}  // namespace

TEST_CASE("a plan that travels to the launcher arrives as it was") {
  const Tidy tidy;
  const Example example;
  auto start = Decode(Sent(example));
  REQUIRE(start.ok());
  CheckSame(example, start.value().get());
}

TEST_CASE("a plan that is too long for a message travels in a file") {
  const Tidy tidy;
  const Example example("BIG=" + std::string(2 << 20, 'x'));
  Message message = Sent(example);
  CHECK(message.bytes.size() == sizeof(StartHeader));
  auto start = Decode(std::move(message));
  REQUIRE(start.ok());
  CheckSame(example, start.value().get());
}

TEST_CASE("descriptors that a stream of the command would overwrite are moved out of its way") {
  const Tidy tidy;
  const Example example;
  Message message = Sent(example);
  for (const UniqueFd& fd : message.fds) CHECK(fd.get() < 20);
  auto start = Decode(std::move(message));
  REQUIRE(start.ok());
  const ChildPlan& plan = *start.value()->plan();
  for (size_t i = 0; i < plan.descriptor_count; ++i) CHECK(plan.descriptors[i].source >= kFirstFreeDescriptor);
  CHECK(plan.confinement->ruleset >= kFirstFreeDescriptor);
}

TEST_CASE("only limits that the launcher does not have by itself are set in the child") {
  const Example example;
  auto start = Decode(Sent(example));
  REQUIRE(start.ok());
  auto own = example.plan.settings->limits;
  own[RLIMIT_NOFILE].rlim_cur = 99;
  start.value()->LeaveOutLimits(own);
  CHECK(start.value()->plan()->settings->changed_limits == 1U << RLIMIT_NOFILE);
}

TEST_CASE("a plan without confinement, shell and oom score arrives without them") {
  Example example;
  example.plan.confinement = nullptr;
  example.plan.shell_argv = nullptr;
  example.plan.oom_score = nullptr;
  example.plan.controlling_terminal = false;
  auto start = Decode(Sent(example));
  REQUIRE(start.ok());
  CHECK(start.value()->plan()->confinement == nullptr);
  CHECK(start.value()->plan()->shell_argv == nullptr);
  CHECK(start.value()->plan()->oom_score == nullptr);
  CHECK_FALSE(start.value()->plan()->controlling_terminal);
}

TEST_CASE("a request that is cut off anywhere is refused, and its descriptors are closed") {
  const Tidy tidy;
  const Example example;
  const size_t whole = Sent(example).bytes.size();
  for (size_t size = 0; size < whole; ++size) {
    Message message = Sent(example);
    message.bytes.resize(size);
    auto start = Decode(std::move(message));
    REQUIRE_FALSE(start.ok());
    CHECK(start.error().number == EPROTO);
  }
}

TEST_CASE("a request with a descriptor too few or too many is refused") {
  const Tidy tidy;
  const Example example;
  Message fewer = Sent(example);
  fewer.fds.pop_back();
  CHECK_FALSE(Decode(std::move(fewer)).ok());
  Message more = Sent(example);
  more.fds.emplace_back(memfd_create("more", MFD_CLOEXEC));
  CHECK_FALSE(Decode(std::move(more)).ok());
  Message none = Sent(example);
  none.fds.clear();
  CHECK_FALSE(Decode(std::move(none)).ok());
}

TEST_CASE("a file that is not as long as the request says is refused, and so is what is no file") {
  const Tidy tidy;
  const Example example("BIG=" + std::string(100000, 'x'));
  Message longer = Sent(example);
  StartHeader header{};
  memcpy(&header, longer.bytes.data(), sizeof header);
  header.body_size += 1;
  memcpy(longer.bytes.data(), &header, sizeof header);
  CHECK_FALSE(Decode(std::move(longer)).ok());
  Message socket = Sent(example);
  Pair pair;
  socket.fds.back() = std::move(pair.here);
  CHECK_FALSE(Decode(std::move(socket)).ok());
}

TEST_CASE("requests with bytes that are wrong at random are refused or name only memory of their own") {
  const Tidy tidy;
  const Example example;
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same ones each time
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    Message message = Sent(example);
    for (int i = 0; i < 1 + round % 4; ++i) {
      // The header more often than its share.
      const size_t size = round % 2 == 0 ? sizeof(StartHeader) : message.bytes.size();
      message.bytes[random() % size] = static_cast<char>(round % 3 == 0 ? 0xff : random());
    }
    auto start = Decode(std::move(message));
    if (!start.ok()) continue;
    ++accepted;
    const ChildPlan& plan = *start.value()->plan();
    size_t bytes = strlen(plan.cwd);
    for (char* const* list : {plan.argv, plan.environment, plan.candidates}) {
      for (const std::string& text : TextsOf(list)) bytes += text.size();
    }
    CHECK(bytes <= kMostMessageBytes);
    for (size_t i = 0; i < plan.descriptor_count; ++i) {
      CHECK(plan.descriptors[i].target < kFirstFreeDescriptor);
      CHECK(fcntl(plan.descriptors[i].source, F_GETFD) != -1);
    }
  }
  CHECK(accepted > 0);
  CHECK(accepted < 3000);
}

}  // namespace quiesce::testing
