#!/usr/bin/env python3
# Writes impulse_responses.json: impulse responses of the low-pass by SciPy's lfilter, made from
# the analog prototype by SciPy's bilinear transform. Run with SciPy 1.17: ./make_reference.py

import json
import math
from pathlib import Path

import numpy as np
from scipy import signal

CASES = [
    (44100, 12, -20), (44100, 12, 20), (44100, 20000, -20), (44100, 20000, 20),
    (48000, 1000, 0), (48000, 384, -3), (48000, 2500, 5), (48000, 14000, 12),
    (96000, 12, 20), (96000, 20000, 20),
    (192000, 12, -20), (192000, 12, 20), (192000, 20000, -20), (192000, 20000, 20),
]  # fmt: skip
FRAMES = 20000

frames = sorted({round(f) - 1 for f in np.geomspace(1, FRAMES, 220)})
impulse = np.zeros(FRAMES)
impulse[0] = 1
cases = []
for rate, cutoff, resonance in CASES:
    omega = 2 * rate * math.tan(math.pi * cutoff / rate)
    q = 10 ** (resonance / 20)
    b, a = signal.bilinear([omega**2], [1, omega / q, omega**2], fs=rate)
    response = signal.lfilter(b, a, impulse)
    cases.append({
        "sampleRate": rate,
        "cutoffHertz": cutoff,
        "resonanceDecibels": resonance,
        "peak": float(f"{np.abs(response).max():.9g}"),
        "response": [float(f"{response[f]:.9g}") for f in frames],
    })

lines = ",\n".join(json.dumps(case) for case in cases)
Path(__file__).with_name("impulse_responses.json").write_text(
    f'{{"frames": {frames},\n"cases": [\n{lines}\n]}}\n'
)
