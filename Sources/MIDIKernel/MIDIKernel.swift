// MIDIKernel
