// The types and numbers of cuFFT's API, for programs (cufft.h) and for the library itself
// (cuda/stand_in/libraries/fft): cuFFT documentation, "cuFFT API Reference".
#pragma once
// NOLINTBEGIN(modernize-use-using): C programs read it too.

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16
} cufftResult;
// Names that CUDA 13 removed; programs for CUDA 12 list them.
#define CUFFT_INCOMPLETE_PARAMETER_LIST ((cufftResult)10)
#define CUFFT_PARSE_ERROR ((cufftResult)12)
#define CUFFT_LICENSE_ERROR ((cufftResult)15)

typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#define CUFFT_PLAN_NULL (-1)

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

// NOLINTEND(modernize-use-using)
