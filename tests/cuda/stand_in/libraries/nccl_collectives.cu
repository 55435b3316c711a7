// nvcc: -lnccl
// warplens: --devices 2
// NCCL's collectives, and sends and receives, with one thread for all ranks: every type and operation, in
// place and not. It needs two devices, and works with more.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "nccl_ranks.h"

constexpr size_t length = 1000;  // no multiple of anything that libraries prefer

// Small whole numbers, so that every order of additions gives the same.
int small(int rank, size_t i) { return int((i * 7 + size_t(rank) * 3) % 5) + 1; }

template <class T>
T made(double value) {
  return T(value);
}
template <>
__half made<__half>(double value) {
  return __float2half(float(value));
}
template <>
__nv_bfloat16 made<__nv_bfloat16>(double value) {
  return __float2bfloat16(float(value));
}
template <class T>
double read(T value) {
  return double(value);
}
template <>
double read<__half>(__half value) {
  return __half2float(value);
}
template <>
double read<__nv_bfloat16>(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

template <class T>
std::vector<T> values_of(int rank, size_t count = length) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = made<T>(small(rank, i));
  return values;
}

double reduced(ncclRedOp_t op, int ranks, size_t i) {
  double value = small(0, i);
  for (int rank = 1; rank < ranks; ++rank) {
    const double next = small(rank, i);
    value = op == ncclProd  ? value * next
            : op == ncclMax ? std::max(value, next)
            : op == ncclMin ? std::min(value, next)
                            : value + next;
  }
  return value;
}

// An average is that of the sum for integers, and a sum of products for floats.
template <class T>
double average(int ranks, size_t i) {
  if (std::is_integral<T>::value) return double(int(reduced(ncclSum, ranks, i)) / ranks);
  T sum = made<T>(small(0, i) * read(made<T>(1.0 / ranks)));
  for (int rank = 1; rank < ranks; ++rank)
    sum = made<T>(read(sum) + read(made<T>(small(rank, i) * read(made<T>(1.0 / ranks)))));
  return read(sum);
}

template <class T>
void all_reduce(const Ranks& ranks, ncclDataType_t type) {
  for (ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg})
    for (bool in_place : {false, true}) {
      Arrays<T> from(ranks.count, length), to(ranks.count, length);
      for (int rank = 0; rank < ranks.count; ++rank) (in_place ? to : from).set(rank, values_of<T>(rank));
      EXPECT_NCCL_OK(ncclGroupStart());
      for (int rank = 0; rank < ranks.count; ++rank)
        EXPECT_NCCL_OK(ncclAllReduce((in_place ? to : from).at[rank], to.at[rank], length, type, op,
                                     ranks.comms[rank], ranks.streams[rank]));
      EXPECT_NCCL_OK(ncclGroupEnd());
      ranks.wait();
      for (int rank = 0; rank < ranks.count; ++rank) {
        const std::vector<T> is = to.get(rank);
        size_t right = 0;
        for (size_t i = 0; i < length; ++i) {
          const double wanted = op == ncclAvg ? average<T>(ranks.count, i) : reduced(op, ranks.count, i);
          // Of averages the order of the additions is the library's.
          const double bound = op == ncclAvg && !std::is_integral<T>::value ? wanted / 100 : 0;
          right += std::abs(read(is[i]) - wanted) <= bound;
        }
        EXPECT(right == length);
      }
    }
}

void all_types(const Ranks& ranks) {
  all_reduce<int8_t>(ranks, ncclInt8);
  all_reduce<uint8_t>(ranks, ncclUint8);
  all_reduce<int32_t>(ranks, ncclInt32);
  all_reduce<uint32_t>(ranks, ncclUint32);
  all_reduce<int64_t>(ranks, ncclInt64);
  all_reduce<uint64_t>(ranks, ncclUint64);
  all_reduce<__half>(ranks, ncclFloat16);
  all_reduce<__nv_bfloat16>(ranks, ncclBfloat16);
  all_reduce<float>(ranks, ncclFloat32);
  all_reduce<double>(ranks, ncclFloat64);
}

// All ranks have the same bits, whatever the order.
void rounding(const Ranks& ranks) {
  Arrays<float> arrays(ranks.count, length);
  for (int rank = 0; rank < ranks.count; ++rank) {
    std::vector<float> values(length);
    for (size_t i = 0; i < length; ++i) values[i] = 1.0f / float(1 + i * 3 + rank * 7);
    arrays.set(rank, values);
  }
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < ranks.count; ++rank)
    EXPECT_NCCL_OK(ncclAllReduce(arrays.at[rank], arrays.at[rank], length, ncclFloat, ncclSum,
                                 ranks.comms[rank], ranks.streams[rank]));
  EXPECT_NCCL_OK(ncclGroupEnd());
  ranks.wait();
  const std::vector<float> first = arrays.get(0);
  for (int rank = 1; rank < ranks.count; ++rank)
    EXPECT(std::memcmp(first.data(), arrays.get(rank).data(), length * sizeof(float)) == 0);
  double most = 0;
  for (size_t i = 0; i < length; ++i) {
    double sum = 0;
    for (int rank = 0; rank < ranks.count; ++rank) sum += double(1.0f / float(1 + i * 3 + rank * 7));
    most = std::max(most, std::abs(first[i] - sum) / sum);
  }
  EXPECT(most < ranks.count * 6e-8);
}

void roots(const Ranks& ranks) {
  for (int root = 0; root < ranks.count; ++root) {
    Arrays<int> from(ranks.count, length), to(ranks.count, length), alone(ranks.count, length);
    for (int rank = 0; rank < ranks.count; ++rank) {
      from.set(rank, values_of<int>(rank));
      to.set(rank, std::vector<int>(length, -1));
      alone.set(rank, values_of<int>(rank));
    }
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank) {
      EXPECT_NCCL_OK(ncclReduce(from.at[rank], rank == root ? to.at[rank] : nullptr, length, ncclInt32,
                                ncclSum, root, ranks.comms[rank], ranks.streams[rank]));
      EXPECT_NCCL_OK(
          ncclBcast(alone.at[rank], length, ncclInt32, root, ranks.comms[rank], ranks.streams[rank]));
    }
    EXPECT_NCCL_OK(ncclGroupEnd());
    ranks.wait();
    for (int rank = 0; rank < ranks.count; ++rank) {
      const std::vector<int> is = to.get(rank);
      size_t right = 0;
      for (size_t i = 0; i < length; ++i)
        right += is[i] == (rank == root ? int(reduced(ncclSum, ranks.count, i)) : -1);
      EXPECT(right == length);
      EXPECT(alone.get(rank) == values_of<int>(root));
      EXPECT(from.get(rank) == values_of<int>(rank));
    }
    // From the root's memory to other memory, also of the root.
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank)
      EXPECT_NCCL_OK(ncclBroadcast(rank == root ? from.at[rank] : nullptr, to.at[rank], length, ncclInt32,
                                   root, ranks.comms[rank], ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclGroupEnd());
    ranks.wait();
    for (int rank = 0; rank < ranks.count; ++rank) EXPECT(to.get(rank) == values_of<int>(root));
  }
}

void gather_and_scatter(const Ranks& ranks) {
  const size_t all = length * ranks.count;
  for (bool in_place : {false, true}) {
    Arrays<int> parts(ranks.count, length), whole(ranks.count, all);
    for (int rank = 0; rank < ranks.count; ++rank) {
      parts.set(rank, values_of<int>(rank));
      std::vector<int> mine(all, -1);
      for (size_t i = 0; i < length; ++i) mine[rank * length + i] = small(rank, i);
      whole.set(rank, mine);
    }
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank)
      EXPECT_NCCL_OK(ncclAllGather(in_place ? whole.at[rank] + rank * length : parts.at[rank], whole.at[rank],
                                   length, ncclInt32, ranks.comms[rank], ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclGroupEnd());
    ranks.wait();
    for (int rank = 0; rank < ranks.count; ++rank) {
      const std::vector<int> is = whole.get(rank);
      size_t right = 0;
      for (size_t i = 0; i < all; ++i) right += is[i] == small(int(i / length), i % length);
      EXPECT(right == all);
    }
    // Each rank gets its part of the sum: the same numbers times the ranks.
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank)
      EXPECT_NCCL_OK(ncclReduceScatter(whole.at[rank],
                                       in_place ? whole.at[rank] + rank * length : parts.at[rank], length,
                                       ncclInt32, ncclSum, ranks.comms[rank], ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclGroupEnd());
    ranks.wait();
    for (int rank = 0; rank < ranks.count; ++rank) {
      const std::vector<int> is = in_place ? whole.get(rank) : parts.get(rank);
      const size_t begin = in_place ? rank * length : 0;
      size_t right = 0;
      for (size_t i = 0; i < length; ++i) right += is[begin + i] == ranks.count * small(rank, i);
      EXPECT(right == length);
    }
  }
}

// Each rank sends to the next one, and receives from the one before; then all to all.
void send_and_receive(const Ranks& ranks) {
  Arrays<int> from(ranks.count, length), to(ranks.count, length);
  for (int rank = 0; rank < ranks.count; ++rank) from.set(rank, values_of<int>(rank));
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < ranks.count; ++rank) {
    EXPECT_NCCL_OK(ncclSend(from.at[rank], length, ncclInt32, (rank + 1) % ranks.count, ranks.comms[rank],
                            ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclRecv(to.at[rank], length, ncclInt32, (rank + ranks.count - 1) % ranks.count,
                            ranks.comms[rank], ranks.streams[rank]));
  }
  EXPECT_NCCL_OK(ncclGroupEnd());
  ranks.wait();
  for (int rank = 0; rank < ranks.count; ++rank)
    EXPECT(to.get(rank) == values_of<int>((rank + ranks.count - 1) % ranks.count));
  const size_t part = length / ranks.count;
  EXPECT_NCCL_OK(ncclGroupStart());
  for (int rank = 0; rank < ranks.count; ++rank)
    for (int other = 0; other < ranks.count; ++other) {
      EXPECT_NCCL_OK(ncclSend(from.at[rank] + other * part, part, ncclInt32, other, ranks.comms[rank],
                              ranks.streams[rank]));
      EXPECT_NCCL_OK(ncclRecv(to.at[rank] + other * part, part, ncclInt32, other, ranks.comms[rank],
                              ranks.streams[rank]));
    }
  EXPECT_NCCL_OK(ncclGroupEnd());
  ranks.wait();
  for (int rank = 0; rank < ranks.count; ++rank) {
    const std::vector<int> is = to.get(rank);
    size_t right = 0;
    for (size_t i = 0; i < part * ranks.count; ++i)
      right += is[i] == small(int(i / part), rank * part + i % part);
    EXPECT(right == part * ranks.count);
  }
}

// A sum of products, by a factor of the host and by one of each device.
void own_operations(const Ranks& ranks) {
  for (bool on_device : {false, true}) {
    Arrays<float> arrays(ranks.count, length), factors(ranks.count, 1);
    std::vector<ncclRedOp_t> ops(ranks.count);
    for (int rank = 0; rank < ranks.count; ++rank) {
      float factor = float(rank + 2);
      arrays.set(rank, values_of<float>(rank));
      factors.set(rank, {factor});
      EXPECT_NCCL_OK(ncclRedOpCreatePreMulSum(&ops[rank], on_device ? factors.at[rank] : &factor, ncclFloat,
                                              on_device ? ncclScalarDevice : ncclScalarHostImmediate,
                                              ranks.comms[rank]));
      EXPECT(ops[rank] >= ncclNumOps);
    }
    EXPECT_NCCL_OK(ncclGroupStart());
    for (int rank = 0; rank < ranks.count; ++rank)
      EXPECT_NCCL_OK(ncclAllReduce(arrays.at[rank], arrays.at[rank], length, ncclFloat, ops[rank],
                                   ranks.comms[rank], ranks.streams[rank]));
    EXPECT_NCCL_OK(ncclGroupEnd());
    ranks.wait();
    for (int rank = 0; rank < ranks.count; ++rank) {
      const std::vector<float> is = arrays.get(rank);
      size_t right = 0;
      for (size_t i = 0; i < length; ++i) {
        float wanted = 0;
        for (int of = 0; of < ranks.count; ++of) wanted += float((of + 2) * small(of, i));
        right += is[i] == wanted;
      }
      EXPECT(right == length);
      EXPECT_NCCL_OK(ncclRedOpDestroy(ops[rank], ranks.comms[rank]));
    }
  }
}

void queries(const Ranks& ranks) {
  int version = 0;
  EXPECT_NCCL_OK(ncclGetVersion(&version));
  EXPECT(version >= 21000);
  for (int rank = 0; rank < ranks.count; ++rank) {
    int count = 0, device = -1, is = -1;
    ncclResult_t error = ncclInternalError;
    EXPECT_NCCL_OK(ncclCommCount(ranks.comms[rank], &count));
    EXPECT_NCCL_OK(ncclCommCuDevice(ranks.comms[rank], &device));
    EXPECT_NCCL_OK(ncclCommUserRank(ranks.comms[rank], &is));
    EXPECT_NCCL_OK(ncclCommGetAsyncError(ranks.comms[rank], &error));
    EXPECT(count == ranks.count && device == rank && is == rank && error == ncclSuccess);
  }
  EXPECT_OK(cudaSetDevice(1));
  void* memory = nullptr;
  EXPECT_NCCL_OK(ncclMemAlloc(&memory, 4096));
  cudaPointerAttributes of{};
  EXPECT_OK(cudaPointerGetAttributes(&of, memory));
  EXPECT(of.device == 1 && of.type == cudaMemoryTypeDevice);
  EXPECT_NCCL_OK(ncclMemFree(memory));
  EXPECT(std::strlen(ncclGetErrorString(ncclInvalidUsage)) > 0);
}

int main() {
  int devices = 0;
  EXPECT_OK(cudaGetDeviceCount(&devices));
  EXPECT(devices >= 2);
  if (devices < 2) return result();
  const Ranks ranks(devices);
  queries(ranks);
  all_types(ranks);
  rounding(ranks);
  roots(ranks);
  gather_and_scatter(ranks);
  send_and_receive(ranks);
  own_operations(ranks);
  return result();
}
