// A program outside Rondo's tree: public headers only, with exceptions and RTTI as compilers come.
#include <rondo.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

int main() {
  int calls = 0;
  rondo::Callback<void(int)> callback = [&calls](int times) { calls += times; };
  rondo::Callback<void(int)> moved = std::move(callback);
  moved(2);
  const rondo::Result<int> result = rondo::Error{ECONNREFUSED, "connect"};
  std::printf("%d calls, %s\n", calls, result.error().name());
  return calls == 2 && result.error().message().starts_with("connect: ") ? 0 : 1;
}
