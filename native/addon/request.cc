#include "addon/request.h"

#include <sys/socket.h>

#include <cerrno>
#include <string>

#include "os/file.h"

namespace quiesce {

namespace {

// The words of src/native/binding.ts, by their number.
enum class Mode : int { kIgnore = 0, kInherit = 1, kPipe = 2, kData = 3, kCollect = 4 };

std::string ToBytes(const Napi::Value& value) {
  const auto bytes = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

double ToDouble(const Napi::Object& object, const char* key) {
  return object.Get(key).As<Napi::Number>().DoubleValue();
}

Mode ToMode(const Napi::Object& object) {
  return static_cast<Mode>(object.Get("mode").As<Napi::Number>().Int32Value());
}

Status ConvertInput(const Napi::Object& object, InputRequest* input, UniqueFd* raw) {
  if (ToMode(object) == Mode::kData) {
    input->mode = StreamMode::kData;
    input->data = ToBytes(object.Get("data"));
  } else if (ToMode(object) == Mode::kPipe) {
    auto made = MakePipe();
    if (!made.ok()) return made.error();
    input->mode = StreamMode::kDescriptor;
    input->descriptor = std::move(made.value().reader);
    *raw = std::move(made.value().writer);
  }
  return {};
}

Status ConvertOutput(const Napi::Object& object, OutputRequest* output, UniqueFd* raw) {
  switch (ToMode(object)) {
    case Mode::kInherit:
      output->mode = StreamMode::kInherit;
      break;
    case Mode::kCollect:
      output->mode = StreamMode::kCollect;
      output->collect.max_bytes = static_cast<size_t>(ToDouble(object, "maxBytes"));
      output->collect.spill_max_bytes = static_cast<uint64_t>(ToDouble(object, "spillMaxBytes"));
      break;
    case Mode::kPipe: {
      auto made = MakePipe();
      if (!made.ok()) return made.error();
      output->mode = StreamMode::kDescriptor;
      output->descriptor = std::move(made.value().writer);
      *raw = std::move(made.value().reader);
      break;
    }
    default:
      break;
  }
  return {};
}

Status ConvertControl(bool wanted, UniqueFd* control, UniqueFd* raw) {
  if (!wanted) return {};
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == -1) return SysError{errno, "socketpair", {}};
  control->Reset(ends[0]);
  raw->Reset(ends[1]);
  return {};
}

}  // namespace

ConvertedRequest ConvertRequest(const Napi::Object& object) {
  ConvertedRequest converted;
  SpawnRequest& request = converted.request;
  request.argv = StringBlock(object.Get("argv").As<Napi::String>().Utf8Value());
  request.environment = StringBlock(object.Get("environment").As<Napi::String>().Utf8Value());
  request.cwd = object.Get("cwd").As<Napi::String>().Utf8Value();
  request.grace = Millis(ToDouble(object, "graceMs"));
  const Napi::Value deadline = object.Get("deadlineMs");
  if (deadline.IsNumber()) request.deadline = Millis(deadline.As<Napi::Number>().DoubleValue());
  request.leftovers = object.Get("endLeftovers").As<Napi::Boolean>() ? Leftovers::kTerminate : Leftovers::kKeep;
  const Napi::Value attachment = object.Get("attachment");
  if (attachment.IsTypedArray()) request.attachment = ToBytes(attachment);
  const auto note = [&converted](const Status& made) {
    if (!made.ok()) converted.failure = SpawnFailure{SpawnStage::kStdio, made.error().number, {}};
  };
  note(ConvertInput(object.Get("stdin").As<Napi::Object>(), &request.input, &converted.raw.input));
  note(ConvertOutput(object.Get("stdout").As<Napi::Object>(), &request.output, &converted.raw.output));
  note(ConvertOutput(object.Get("stderr").As<Napi::Object>(), &request.error, &converted.raw.error));
  note(ConvertControl(object.Get("control").As<Napi::Boolean>(), &request.control, &converted.raw.control));
  return converted;
}

}  // namespace quiesce
