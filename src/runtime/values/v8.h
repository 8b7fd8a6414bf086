// Includes V8's headers in one place: they are large, and cause warnings with our flags.
#pragma once

#include <libplatform/libplatform.h>
#include <v8.h>
