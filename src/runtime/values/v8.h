// V8's headers, included in one place: they are large, and not free of our warnings.
#pragma once

#include <libplatform/libplatform.h>
#include <v8.h>
