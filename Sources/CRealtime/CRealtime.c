// The layout of the render boundary is a contract between processes: it may not change unnoticed.
#include "CRealtime.h"

_Static_assert(sizeof(RenderEvent) == 48, "RenderEvent");
_Static_assert(sizeof(RenderEventListHeader) == 32, "RenderEventListHeader");
_Static_assert(sizeof(AudioBufferListHeader) == 8, "AudioBufferListHeader");
_Static_assert(sizeof(MusicalContext) == 72, "MusicalContext");
_Static_assert(sizeof(RenderCall) == 136, "RenderCall");
