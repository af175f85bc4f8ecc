{
  "targets": [
    {
      "target_name": "quiesce",
      "sources": ["<!@(cat native/sources.txt)"],
      "include_dirs": ["native", "<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": [
        "NAPI_VERSION=9",
        "NODE_ADDON_API_DISABLE_DEPRECATED",
        "NAPI_DISABLE_CPP_EXCEPTIONS",
        "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"
      ],
      "cflags_cc": ["-std=c++20", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow", "-Wconversion"],
      "cflags_cc!": ["-fno-exceptions", "-fno-rtti"],
      "ldflags": ["-static-libstdc++", "-static-libgcc"]
    },
    {
      "target_name": "quiesce_runner",
      "product_name": "quiesce-runner",
      "product_extension": "",
      "type": "executable",
      "sources": ["<!@(cat native/runner-sources.txt)"],
      "include_dirs": ["native"],
      "cflags_cc": ["-std=c++20", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow", "-Wconversion"],
      "cflags_cc!": ["-fno-exceptions", "-fno-rtti"],
      "ldflags": ["-static-libstdc++", "-static-libgcc"]
    },
    {
      "target_name": "quiesce_supervisor",
      "product_name": "quiesce-supervisor",
      "product_extension": "",
      "type": "executable",
      "sources": ["<!@(cat native/supervisor-sources.txt)"],
      "include_dirs": ["native"],
      "cflags_cc": [
        "-std=c++20", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-O2", "-ffreestanding",
        "-fno-builtin", "-fno-exceptions", "-fno-rtti", "-fno-pie", "-fno-stack-protector",
        "-fno-asynchronous-unwind-tables", "-U_FORTIFY_SOURCE"
      ],
      "cflags!": ["-fPIC", "-pthread"],
      "ldflags!": ["-pthread", "-rdynamic"],
      "ldflags": ["-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none", "-Wl,-z,noexecstack"],
      "conditions": [["target_arch not in 'x64 arm64'", {"type": "none"}]]
    }
  ]
}
