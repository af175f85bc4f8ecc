#include "launcher/spill_remains.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace quiesce::testing {

namespace {

// A folder with a spill folder in it, gone at the end.
class Place {
 public:
  Place() {
    std::string path = "/tmp/quiesce-native-test-remains-XXXXXX";
    REQUIRE(mkdtemp(path.data()) != nullptr);
    folder = path;
    spill = path + "/spill";
    std::filesystem::create_directory(spill);
    for (const char* name : {"one.log", "two.log"}) std::ofstream(spill + "/" + name) << "content";
  }
  ~Place() { std::filesystem::remove_all(folder); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::string folder;
  std::string spill;
};

}  // namespace

TEST_CASE("what remains of a host that was killed is removed, its folder included") {
  const Place place;
  SpillRemains remains;
  remains.Add(place.spill);
  remains.Add(place.folder + "/was never made");
  remains.Remove();
  CHECK_FALSE(std::filesystem::exists(place.spill));
  CHECK(std::filesystem::exists(place.folder));
}

TEST_CASE("a file that belongs to the caller stays, and so does a folder that the host removes itself") {
  const Place place;
  SpillRemains remains;
  remains.Add(place.spill);
  remains.Keep(place.spill + "/two.log");
  remains.Remove();
  CHECK_FALSE(std::filesystem::exists(place.spill + "/one.log"));
  CHECK(std::filesystem::exists(place.spill + "/two.log"));
  remains.Keep(place.spill);
  std::ofstream(place.spill + "/one.log") << "again";
  remains.Remove();
  CHECK(std::filesystem::exists(place.spill + "/one.log"));
}

TEST_CASE("what is no plain file of that very folder is left alone") {
  const Place place;
  const std::string outside = place.folder + "/outside.log";
  std::ofstream(outside) << "not ours";
  std::filesystem::create_directory(place.spill + "/below");
  std::ofstream(place.spill + "/below/deep.log") << "not ours";
  std::filesystem::create_symlink(outside, place.spill + "/link.log");
  std::filesystem::create_directory_symlink(place.spill, place.folder + "/linked");
  SpillRemains linked;
  linked.Add(place.folder + "/linked");
  linked.Remove();
  CHECK(std::filesystem::exists(place.spill + "/one.log"));
  SpillRemains remains;
  remains.Add(place.spill);
  remains.Remove();
  CHECK_FALSE(std::filesystem::exists(place.spill + "/one.log"));
  CHECK(std::filesystem::exists(place.spill + "/below/deep.log"));
  CHECK(std::filesystem::exists(outside));
}

}  // namespace quiesce::testing
