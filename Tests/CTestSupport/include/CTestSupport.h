// The parts of the test rig that must be C: starting processes, a process callback for JACK, weak
// symbols.
#pragma once

#include "Process.h"
#include "Restriction.h"
#include "Terminal.h"
#include "Sanitizers.h"
#include "ScriptedClient.h"
