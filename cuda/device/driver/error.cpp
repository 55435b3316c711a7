#include "cuda/device/driver/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens::cuda {

namespace {

struct Name {
  int code;
  const char* runtime;
};

// CUDA Runtime API manual, "Data types used by CUDA Runtime", enum cudaError. Since CUDA 10.1 the numbers are
// those of CUresult.
constexpr std::array names{
    Name{1, "cudaErrorInvalidValue"},
    Name{2, "cudaErrorMemoryAllocation"},
    Name{3, "cudaErrorInitializationError"},
    Name{4, "cudaErrorCudartUnloading"},
    Name{35, "cudaErrorInsufficientDriver"},
    Name{46, "cudaErrorDevicesUnavailable"},
    Name{100, "cudaErrorNoDevice"},
    Name{101, "cudaErrorInvalidDevice"},
    Name{200, "cudaErrorInvalidKernelImage"},
    Name{201, "cudaErrorDeviceUninitialized"},
    Name{205, "cudaErrorMapBufferObjectFailed"},
    Name{206, "cudaErrorUnmapBufferObjectFailed"},
    Name{209, "cudaErrorNoKernelImageForDevice"},
    Name{214, "cudaErrorECCUncorrectable"},
    Name{215, "cudaErrorUnsupportedLimit"},
    Name{218, "cudaErrorInvalidPtx"},
    Name{219, "cudaErrorInvalidGraphicsContext"},
    Name{221, "cudaErrorJitCompilerNotFound"},
    Name{222, "cudaErrorUnsupportedPtxVersion"},
    Name{300, "cudaErrorInvalidSource"},
    Name{304, "cudaErrorOperatingSystem"},
    Name{400, "cudaErrorInvalidResourceHandle"},
    Name{401, "cudaErrorIllegalState"},
    Name{500, "cudaErrorSymbolNotFound"},
    Name{600, "cudaErrorNotReady"},
    Name{700, "cudaErrorIllegalAddress"},
    Name{701, "cudaErrorLaunchOutOfResources"},
    Name{702, "cudaErrorLaunchTimeout"},
    Name{709, "cudaErrorContextIsDestroyed"},
    Name{710, "cudaErrorAssert"},
    Name{714, "cudaErrorHardwareStackError"},
    Name{715, "cudaErrorIllegalInstruction"},
    Name{716, "cudaErrorMisalignedAddress"},
    Name{717, "cudaErrorInvalidAddressSpace"},
    Name{718, "cudaErrorInvalidPc"},
    Name{719, "cudaErrorLaunchFailure"},
    Name{720, "cudaErrorCooperativeLaunchTooLarge"},
    Name{800, "cudaErrorNotPermitted"},
    Name{801, "cudaErrorNotSupported"},
    Name{802, "cudaErrorSystemNotReady"},
    Name{803, "cudaErrorSystemDriverMismatch"},
    Name{999, "cudaErrorUnknown"},
};

}  // namespace

std::string runtime_name(const Driver& driver, CUresult code) {
  const auto found = std::ranges::find(names, static_cast<int>(code), &Name::code);
  if (found != names.end()) return found->runtime;
  const char* name = nullptr;
  if (driver.cuGetErrorName != nullptr && driver.cuGetErrorName(code, &name) == CUDA_SUCCESS && name)
    return name;
  return fmt::format("CUDA error {}", static_cast<int>(code));
}

std::string describe(const Driver& driver, CUresult code) {
  const char* words = nullptr;
  const bool known = driver.cuGetErrorString != nullptr &&
                     driver.cuGetErrorString(code, &words) == CUDA_SUCCESS && words != nullptr;
  return known ? fmt::format("{} ({})", runtime_name(driver, code), words) : runtime_name(driver, code);
}

bool is_sticky(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return true;
    default:
      return false;
  }
}

Error error_of(const Driver& driver, CUresult code, const std::string& doing) {
  const std::string message = fmt::format("{}: {}", doing, describe(driver, code));
  switch (code) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return {ErrorKind::refused, message};
    case CUDA_ERROR_INVALID_PTX:
      return bad_input(message);
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return missing(message);
    default:
      return failed(message);
  }
}

}  // namespace warplens::cuda
