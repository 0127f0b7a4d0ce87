// The parts of the test rig that must be C: starting processes, and a process callback for JACK.
#pragma once

#include "Process.h"
#include "ScriptedClient.h"
