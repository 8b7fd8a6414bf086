// The servers that the net rows compare. Each runs until its process is killed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

using Report = void (*)(int port, void* context);
using Serve = void (*)(Report report, void* context);
using Servers = std::vector<std::pair<std::string, Serve>>;

Servers echo_servers();
Servers accept_servers();  // They close each connection at once.

}  // namespace bench
