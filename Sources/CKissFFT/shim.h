#define KISS_FFT_SHARED
#define kiss_fft_scalar float
#include <kissfft/kiss_fft.h>
