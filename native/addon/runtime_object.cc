#include "addon/runtime_object.h"

#include "addon/environment.h"
#include "addon/event_batch.h"
#include "addon/process_object.h"
#include "addon/range_option.h"
#include "addon/terminal_object.h"
#include "spawn/request_decoder.h"

namespace quiesce {

namespace {

std::string ToBytes(const Napi::Value& value) {
  const auto bytes = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

// spawn(argv, environment, cwd, numbers, stdinData, attachment, confinement)
// spawnTerminal(argv, environment, cwd, numbers)
FlatRequest ToFlatRequest(const Napi::CallbackInfo& info) {
  const auto numbers = info[3].As<Napi::Float64Array>();
  FlatRequest flat{info[0].As<Napi::String>().Utf8Value(),
                   info[1].As<Napi::String>().Utf8Value(),
                   info[2].As<Napi::String>().Utf8Value(),
                   {numbers.Data(), numbers.ElementLength()},
                   {},
                   {}};
  if (info[4].IsTypedArray()) flat.stdin_data = ToBytes(info[4]);
  if (info[5].IsTypedArray()) flat.attachment = ToBytes(info[5]);
  return flat;
}

}  // namespace

Napi::Function RuntimeObject::Define(Napi::Env env) {
  return DefineClass(env, "Runtime",
                     {
                         InstanceAccessor<&RuntimeObject::Id>("id"),
                         InstanceMethod<&RuntimeObject::Spawn>("spawn"),
                         InstanceMethod<&RuntimeObject::SpawnTerminal>("spawnTerminal"),
                         InstanceMethod<&RuntimeObject::ClaimSpill>("claimSpill"),
                         InstanceMethod<&RuntimeObject::Close>("close"),
                     });
}

RuntimeObject::RuntimeObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<RuntimeObject>(info) {
  auto* environment = info.Env().GetInstanceData<Environment>();
  const auto options = info[0].As<Napi::Object>();
  const bool leave_on_crash = options.Get("leaveOnCrash").As<Napi::Boolean>().Value();
  const std::string spill_path = options.Get("spillFolder").As<Napi::String>().Utf8Value();
  auto ranges = MakeRangeSource(options.Get("range").As<Napi::Object>(), spill_path, leave_on_crash);
  auto spill_folder = std::make_shared<SpillFolder>(spill_path);
  CrashCare care{.sweep = true, .guardian = std::nullopt};
  if (!leave_on_crash) care.guardian = options.Get("runner").As<Napi::String>().Utf8Value();
  runtime_ = std::make_shared<Runtime>(std::move(ranges), std::move(spill_folder), environment, std::move(care));
  environment->Add(runtime_);
}

Napi::Value RuntimeObject::Id(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(runtime_->id()));
}

// Null when an exception is pending.
std::shared_ptr<Engine> RuntimeObject::GetEngine(Napi::Env env) const {
  if (!runtime_->open()) {
    Napi::Error::New(env, "the runtime is closed").ThrowAsJavaScriptException();
    return nullptr;
  }
  auto engine = env.GetInstanceData<Environment>()->GetEngine();
  if (engine.ok()) return std::move(engine.value());
  Napi::Error error = Napi::Error::New(env, "the native core cannot start its threads");
  error.Set("systemError", ToObject(env, engine.error()));
  error.ThrowAsJavaScriptException();
  return nullptr;
}

Napi::Value RuntimeObject::Spawn(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto engine = GetEngine(env);
  if (engine == nullptr) return env.Undefined();
  auto decoded = DecodeRequest(ToFlatRequest(info));
  if (!decoded.ok()) {
    Napi::TypeError::New(env, "malformed spawn request").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  DecodedRequest& request = decoded.value();
  if (info[6].IsString()) {
    auto source = engine->policies->SourceOf(info[6].As<Napi::String>().Utf8Value());
    if (!source.ok()) {
      Napi::TypeError::New(env, "malformed confinement").ThrowAsJavaScriptException();
      return env.Undefined();
    }
    request.request.confinement = std::move(source.value());
  }
  auto process = runtime_->Spawn(std::move(engine), std::move(request.request), std::move(request.failure));
  return ProcessObject::Make(env.GetInstanceData<Environment>()->process_class, runtime_, std::move(process),
                             std::move(request.raw));
}

Napi::Value RuntimeObject::SpawnTerminal(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto engine = GetEngine(env);
  if (engine == nullptr) return env.Undefined();
  auto decoded = DecodeTerminal(ToFlatRequest(info));
  if (!decoded.ok()) {
    Napi::TypeError::New(env, "malformed spawn request").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  auto* environment = env.GetInstanceData<Environment>();
  DecodedTerminal& wanted = decoded.value();
  auto spawned =
      runtime_->SpawnInTerminal(std::move(engine), std::move(wanted.request), {wanted.rows, wanted.cols}, environment);
  return TerminalObject::Make(environment->terminal_class, runtime_, std::move(spawned));
}

Napi::Value RuntimeObject::ClaimSpill(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), runtime_->ClaimSpill(info[0].As<Napi::String>().Utf8Value()));
}

Napi::Value RuntimeObject::Close(const Napi::CallbackInfo& info) {
  const bool all_gone = runtime_->Close(std::chrono::milliseconds(info[0].As<Napi::Number>().Int64Value()));
  if (all_gone) info.Env().GetInstanceData<Environment>()->Forget(runtime_.get());
  return Napi::Boolean::New(info.Env(), all_gone);
}

}  // namespace quiesce
