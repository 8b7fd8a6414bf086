// Rondo's event loop as a library: everything a C++ program needs, and no JavaScript.
#pragma once

#include "base/choice.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "io/address.h"
#include "io/fs_watch.h"
#include "io/pipe.h"
#include "io/poll.h"
#include "io/signal.h"
#include "io/tcp.h"
#include "loop/async.h"
#include "loop/loop.h"
#include "loop/trace.h"
#include "loop/work.h"
