// The module: what src/native/binding.ts declares, and nothing else.
#include <napi.h>

#include "addon/environment.h"
#include "addon/event_batch.h"
#include "addon/process_object.h"
#include "addon/range_option.h"
#include "addon/runtime_object.h"
#include "addon/terminal_object.h"
#include "os/features.h"
#include "process/cgroup_probe.h"
#include "process/range_probe.h"
#include "process/supervisor_probe.h"
#include "range/cgroup_mount.h"

namespace quiesce {

namespace {

// probeCgroup(parent | null): the folder that commands can run below, or what stands in the way.
Napi::Value ProbeCgroupFolder(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object result = Napi::Object::New(env);
  result["folder"] = env.Null();
  result["failure"] = env.Null();
  std::string folder;
  if (info[0].IsString()) {
    folder = info[0].As<Napi::String>().Utf8Value();
  } else {
    auto own = FindOwnCgroup();
    if (!own.ok()) {
      result["failure"] = ToObject(env, own.error());
      return result;
    }
    folder = std::move(own.value());
  }
  result["folder"] = folder;
  if (const Status probed = ProbeCgroup(folder); !probed.ok()) result["failure"] = ToObject(env, probed.error());
  return result;
}

// probeSupervisor(program): what stands in the way of the range, or null.
Napi::Value ProbeSupervisorProgram(const Napi::CallbackInfo& info) {
  const Status probed = ProbeSupervisor(info[0].As<Napi::String>().Utf8Value());
  if (probed.ok()) return info.Env().Null();
  return ToObject(info.Env(), probed.error());
}

// probeScope(options): null, or what stands in the way.
Napi::Value ProbeScope(const Napi::CallbackInfo& info) {
  const auto source = MakeRangeSource(info[0].As<Napi::Object>(), {}, /*leave_on_crash=*/false);
  const Status probed = ProbeRanges(*source);
  source->Close();
  return probed.ok() ? info.Env().Null() : static_cast<Napi::Value>(ToObject(info.Env(), probed.error()));
}

// hostFeatures()
Napi::Value GetHostFeatures(const Napi::CallbackInfo& info) {
  const HostFeatures features = ProbeHostFeatures();
  Napi::Object result = Napi::Object::New(info.Env());
  result["clone3"] = Napi::Boolean::New(info.Env(), features.clone3);
  result["closeRange"] = Napi::Boolean::New(info.Env(), features.close_range);
  result["pidfdOpen"] = Napi::Boolean::New(info.Env(), features.pidfd_open);
  result["pidfdSignalGroup"] = Napi::Boolean::New(info.Env(), features.pidfd_signal_group);
  return result;
}

// environmentVersion()
Napi::Value GetEnvironmentVersion(const Napi::CallbackInfo& info) {
  auto* environment = info.Env().GetInstanceData<Environment>();
  return Napi::Number::New(info.Env(), static_cast<double>(environment->host_environment.Version()));
}

// setWake(wake)
void SetWake(const Napi::CallbackInfo& info) {
  info.Env().GetInstanceData<Environment>()->SetWake(info[0].As<Napi::Function>());
}

// takeEvents()
Napi::Value TakeEvents(const Napi::CallbackInfo& info) {
  return info.Env().GetInstanceData<Environment>()->TakeEvents();
}

Napi::Object Initialize(Napi::Env env, Napi::Object exports) {
  auto* environment = new Environment(env);
  env.SetInstanceData(environment);
  environment->process_class = Napi::Persistent(ProcessObject::Define(env));
  environment->terminal_class = Napi::Persistent(TerminalObject::Define(env));
  exports["Runtime"] = RuntimeObject::Define(env);
  exports["probeCgroup"] = Napi::Function::New<ProbeCgroupFolder>(env, "probeCgroup");
  exports["probeSupervisor"] = Napi::Function::New<ProbeSupervisorProgram>(env, "probeSupervisor");
  exports["probeScope"] = Napi::Function::New<ProbeScope>(env, "probeScope");
  exports["hostFeatures"] = Napi::Function::New<GetHostFeatures>(env, "hostFeatures");
  exports["environmentVersion"] = Napi::Function::New<GetEnvironmentVersion>(env, "environmentVersion");
  exports["setWake"] = Napi::Function::New<SetWake>(env, "setWake");
  exports["takeEvents"] = Napi::Function::New<TakeEvents>(env, "takeEvents");
  return exports;
}

}  // namespace

NODE_API_MODULE(quiesce, Initialize)

}  // namespace quiesce
