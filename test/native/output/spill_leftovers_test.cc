#include "output/spill_leftovers.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "os/unique_fd.h"
#include "output/spill_folder.h"

namespace quiesce {

namespace {

namespace fs = std::filesystem;

// The mark of a process of this place that has ended.
std::string DeadOwner() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  REQUIRE(waitpid(pid, nullptr, 0) == pid);
  const std::string own = SpillOwner();
  return own.substr(0, own.rfind('/') + 1) + std::to_string(pid);
}

class SpillPlace {
 public:
  SpillPlace() {
    std::string path = "/tmp/quiesce-leftovers-XXXXXX";
    REQUIRE(mkdtemp(path.data()) != nullptr);
    root = path;
  }
  ~SpillPlace() { fs::remove_all(root); }
  SpillPlace(const SpillPlace&) = delete;
  SpillPlace& operator=(const SpillPlace&) = delete;

  // A folder with one unclaimed and one claimed file; no mark if `owner` is empty.
  std::string Add(const std::string& name, const std::string& owner) const {
    const std::string path = root + "/" + name;
    REQUIRE(mkdir(path.c_str(), 0700) == 0);
    for (const auto& [file, mode] : {std::pair{"unclaimed", kUnclaimedMode}, std::pair{"claimed", mode_t{0600}}}) {
      const UniqueFd made(open((path + "/" + file).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      REQUIRE(made.valid());
    }
    if (!owner.empty()) REQUIRE(symlink(owner.c_str(), (path + "/owner").c_str()) == 0);
    return path;
  }

  static std::set<std::string> In(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
  }

  std::string root;
};

}  // namespace

TEST_CASE("a sweep removes what nobody has claimed of a dead owner, and the mark with it") {
  const SpillPlace place;
  const std::string swept = place.Add("quiesce-1-0123456789ab", DeadOwner());
  SweepSpillFolders(place.root.c_str());
  CHECK(SpillPlace::In(swept) == std::set<std::string>{"claimed"});
  fs::remove(swept + "/claimed");
  fs::remove(swept);
  const std::string empty = place.Add("quiesce-2-0123456789ab", DeadOwner());
  fs::remove(empty + "/claimed");
  SweepSpillFolders(place.root.c_str());
  CHECK(SpillPlace::In(place.root).empty());
}

TEST_CASE("a sweep touches no folder whose owner lives, cannot be judged from here, or is not named") {
  const SpillPlace place;
  const std::string own = SpillOwner();
  REQUIRE_FALSE(own.empty());
  const std::string dead = DeadOwner();
  const std::string number = dead.substr(dead.rfind('/'));
  int count = 0;
  std::set<std::string> folders;
  for (const std::string& owner :
       {own, std::string(), "otherboot/pid:[4026531836]" + number, own.substr(0, own.find('/')) + "/pid:[1]" + number,
        own.substr(0, own.rfind('/') + 1) + "-1", own.substr(0, own.rfind('/') + 1) + "0", dead + "x",
        own.substr(0, own.rfind('/')), std::string("x")}) {
    folders.insert(place.Add("quiesce-" + std::to_string(++count) + "-0123456789ab", owner));
  }
  for (const char* name : {"quiesce-1-0123456789", "quiesce-1-0123456789abc", "quiesce-x-0123456789ab", "other",
                           "quiesce-pipes-1-abcdef", "quiesce-1-0123456789aB"}) {
    folders.insert(place.Add(name, dead));
  }
  SweepSpillFolders(place.root.c_str());
  for (const std::string& folder : folders) {
    CAPTURE(folder);
    CHECK(SpillPlace::In(folder).contains("unclaimed"));
  }
}

TEST_CASE("a sweep follows no link, neither in the place of a folder nor in one") {
  const SpillPlace place;
  const std::string dead = DeadOwner();
  const std::string elsewhere = place.Add("elsewhere", dead);
  fs::create_symlink(elsewhere, place.root + "/quiesce-1-0123456789ab");
  const std::string swept = place.Add("quiesce-2-0123456789ab", dead);
  fs::create_symlink(elsewhere + "/unclaimed", swept + "/link");
  fs::create_directory(swept + "/folder");
  SweepSpillFolders(place.root.c_str());
  CHECK(SpillPlace::In(elsewhere) == std::set<std::string>{"claimed", "owner", "unclaimed"});
  CHECK(SpillPlace::In(swept) == std::set<std::string>{"claimed", "folder", "link"});
}

TEST_CASE("a folder of spill files has the mark of this process while it is there, and none once it is closed") {
  const SpillPlace place;
  const std::string path = place.root + "/quiesce-1-0123456789ab";
  SpillFolder folder(path);
  int made = 0;
  folder.WhenMade([&] { ++made; });
  auto first = folder.Create("stdout");
  REQUIRE(first.ok());
  REQUIRE(folder.Create("stderr").ok());
  CHECK(made == 1);
  CHECK(fs::read_symlink(path + "/owner").string() == SpillOwner());
  CHECK(HasSpillOwner(path.c_str()));
  CHECK_FALSE(IsDeadOwner(SpillOwner()));
  CHECK(folder.Claim(first.value().path));
  folder.Close();
  CHECK(SpillPlace::In(path).size() == 1);
  CHECK_FALSE(HasSpillOwner(path.c_str()));
}

}  // namespace quiesce
