#pragma once

// The modified Bessel function of the first kind, of order 0, for Kaiser's windows.
static inline double bessel(double x) {
  double sum = 1.0, term = 1.0;
  for (int step = 1; step < 60; ++step) {
    term *= x * x / (4.0 * step * step);
    sum += term;
  }
  return sum;
}
