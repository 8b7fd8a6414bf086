// Rondo's event loop as a library: everything a C++ program needs, and no JavaScript.
#pragma once
#include "base/assert.h"
#include "base/callback.h"
#include "base/fd.h"
#include "base/list.h"
#include "base/result.h"
#include "base/time.h"
