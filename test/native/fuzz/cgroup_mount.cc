// Where the own cgroup stands. First any two texts, which must only be survived; then texts as the kernel would write
// them for a mount and a membership of any names, whose answer is known.
#include "range/cgroup_mount.h"

#include <cerrno>

#include "fuzz/input.h"
#include "fuzz/targets.h"

namespace quiesce::fuzz {

namespace {

// As the kernel's mangle() writes a path into mountinfo.
std::string Escape(std::string_view path) {
  std::string escaped;
  for (const char character : path) {
    if (std::string_view(" \t\n\\#").find(character) == std::string_view::npos) {
      escaped.push_back(character);
      continue;
    }
    const auto value = static_cast<unsigned char>(character);
    escaped.push_back('\\');
    for (const int shift : {6, 3, 0}) escaped.push_back(static_cast<char>('0' + (value >> shift & 7)));
  }
  return escaped;
}

// A path of one name. The kernel lets no folder of cgroups have a newline in its name; a mount point may have any.
std::string PathOf(std::string_view name) {
  std::string path = "/";
  for (const char character : name) {
    if (character != '\n' && character != '/' && character != '\0') path.push_back(character);
  }
  return path;
}

void CheckInside(const std::string& root, const std::string& point, const std::string& below) {
  const std::string mount =
      "33 32 0:29 " + Escape(root) + " " + Escape(point) + " rw shared:11 - cgroup2 cgroup2 rw,nsdelegate\n";
  const std::string other = "32 24 0:28 / " + Escape(point + "x") + " ro - tmpfs cgroup2 ro\n";
  const std::string stem = root == "/" ? "" : root;
  auto found = LocateCgroup("4:cpu:/x\n0::" + stem + below + "\n", other + mount);
  if (stem == "/.." || (stem.empty() && below == "/..")) {
    Require(!found.ok() && found.error().number == EXDEV, "what lies above the own hierarchy is outside");
    return;
  }
  Require(found.ok(), "a folder below the mount is found");
  Require(found.value() == (below == "/" ? point : point + below), "the folder lies below the mount point");
  auto outside = LocateCgroup("0::" + stem + "x" + below + "\n", mount);
  if (!stem.empty()) Require(!outside.ok() && outside.error().number == EXDEV, "a sibling of the mount is outside");
}

}  // namespace

// Input: two texts, or three names, with an empty line between them.
void FuzzCgroupMount(std::span<const uint8_t> bytes) {
  Input input(bytes);
  const std::string first(input.TextUntil("\n\n"));
  const std::string second(input.TextUntil("\n\n"));
  const std::string third(input.Rest());
  if (auto found = LocateCgroup(first, second); !found.ok()) {
    Require(found.error().number == ENOENT || found.error().number == EXDEV, "the error is one that is documented");
  }
  CheckInside(PathOf(first), "/" + second, PathOf(third));
}

}  // namespace quiesce::fuzz
