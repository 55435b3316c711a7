#include "cuda/stand_in/driver/calls/host_address.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

namespace warplens::driver {

namespace {

// The word at an address of this process; 0 if it cannot be read.
uint64_t word_at(uint64_t address) {
  uint64_t word = 0;
  const iovec to{&word, sizeof word};
  const iovec from{reinterpret_cast<void*>(address), sizeof word};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == ssize_t{sizeof word} ? word : 0;
}

}  // namespace

bool is_mapped_by_host(uint64_t address) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

std::optional<HostAddress> host_address(Gpu& device, uint64_t address) {
  if (device.arrays.find(reinterpret_cast<CUarray>(address)) != nullptr)
    return HostAddress{
        "a cudaArray",
        "Such an array has no addresses: copy with cudaMemcpy2DToArray and cudaMemcpy2DFromArray, read "
        "it in kernels through a texture or surface object, and free it with cudaFreeArray."};
  if (!is_mapped_by_host(address)) return std::nullopt;
  const Block* held = device.block_of(word_at(address));
  if (held != nullptr && held->kind != Block::Kind::module)
    return HostAddress{
        fmt::format("a variable of the host that holds the address of {}", held->allocation->name),
        "Pass the pointer itself, as in d_v, and not the address of the pointer, &d_v."};
  return HostAddress{"memory of the host", "Pass the address that cudaMalloc gave."};
}

}  // namespace warplens::driver
