// The built-in kernels, described by data: cuda/kernels/NAME.cu and cuda/kernels/NAME.json.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/base/texture.h"
#include "core/image/image.h"
#include "core/launch/launch_request.h"
#include "core/launch/library_work.h"
#include "core/launch/run_result.h"

namespace warplens {

// How a buffer argument gets its first bytes.
enum class Fill : uint8_t { zero, index, random, image, formula };

// The control that the Launch panel shows for an argument.
enum class Control : uint8_t { none, slider, log_slider, number, seed, image };

struct KernelArgument {
  std::string name;  // as in the CUDA source
  std::string title;
  bool is_buffer = false;
  DType dtype = DType::i32;
  Control control = Control::none;
  // For scalars: the value is `expression` over other names (then there is no control), or the user's choice
  // within [minimum, maximum].
  std::string expression;
  double value = 0, minimum = 0, maximum = 0;
  // For buffers. Extents are expressions over scalars and the problem's names: "width", "n", "m*k".
  Fill fill = Fill::zero;
  double fill_low = 0, fill_high = 1;  // for random: uniform in [low, high)
  uint64_t fill_seed = 0;              // added to the setup's seed
  std::string formula;                 // for formula: the value of element i
  bool output = false;
  std::string width, height, channels;  // height and channels default to 1
  // The kernel takes a texture object over the buffer. The texture has the buffer's sizes.
  std::optional<TextureSpec> texture;
};

struct KernelCheck {
  std::string buffer;  // the output that is compared with the CPU reference
  double rtol = 0;     // 0: bit for bit; else |got − want| ≤ rtol · max(|want|, rms(want))
};

// Another kernel that does the same work without the problem that this one demonstrates.
struct BetterKernel {
  std::string problem;  // id of the warning that it avoids, or "fault"
  std::string kernel, label;
};

// An argument of a launch after the first: an argument, setting or buffer by its name, or a value of its
// own.
struct StepArgument {
  std::string name;  // empty for `expression` of type `dtype`
  DType dtype = DType::i32;
  std::string expression;
};

// One step of a program: what a host does with the device.
struct KernelStep {
  enum class Kind : uint8_t { allocate, copy_in, launch, copy_out, free };
  Kind kind = Kind::launch;
  std::string buffer;  // all kinds but launch
  std::string entry;
  // For launches after the first; the first uses the description's own.
  std::vector<StepArgument> arguments;
  std::array<std::string, 3> problem;
  std::optional<Dim3> block;  // empty for the user's choice
};

// A module variable (__constant__ or __device__) that is set before the first step.
struct KernelConstant {
  std::string symbol;
  DType dtype = DType::f32;
  std::vector<std::string> values;  // an expression for each element
};

struct KernelDescription {
  std::string name;         // "grayscale"
  std::string title;        // "RGB → grayscale"
  std::string category;     // heading in a picker: "Pictures"
  std::string teaches;      // one or two sentences
  std::string entry;        // of the first launch
  std::string source;       // CUDA C++
  std::string source_name;  // "grayscale.cu"
  std::string ptx;
  std::vector<KernelArgument> arguments;  // in the order of the kernel's parameters
  // Numbers with controls that are not parameters of the kernel; expressions use their names. The setting
  // `max_registers` limits the registers that the compiler may use for a thread.
  std::vector<KernelArgument> settings;
  std::vector<KernelArgument> buffers;  // arrays that the first launch does not take
  std::vector<KernelConstant> constants;
  std::vector<KernelStep> steps;  // empty for: copy all arrays in, one launch, copy the outputs back
  Dim3 default_block;
  std::optional<Dim3> default_grid;  // empty for the grid that fits
  // The threads loop over the elements (a grid-stride loop), so that any grid covers the problem.
  bool grid_stride = false;
  std::vector<Dim3> block_presets;
  // The number of threads needed: an expression for each axis over arguments, settings, block_x, block_y,
  // block_z. The grid that fits is ceil(threads / block).
  std::array<std::string, 3> problem;
  // The lines of the index formula, by which a thread finds its element: "x = blockIdx.x * blockDim.x +
  // threadIdx.x".
  std::vector<std::string> index_formula;
  // The block that the kernel requires (a tile size). Each axis that is not 0 must have this extent.
  Dim3 required_block{0, 0, 0};
  std::string reference;  // name of the CPU reference in references.h
  std::vector<KernelCheck> checks;
  bool intentionally_broken = false;   // the lesson is the fault
  std::vector<BetterKernel> better;    // one for each problem that no setting corrects
  std::optional<LibraryTask> library;  // the same work in well-known libraries
  int order = 0;                       // place in a picker, ascending
  // A kernel of the user's own (own_kernel.h). It is not in the catalogue, and every edit replaces the
  // description.
  bool own = false;
  std::string path;  // of the own kernel's file; empty if it has none yet
  // A launch of a recording (core/job/files/recorded_kernel.h): module, memory and parameters come from here,
  // and block, grid and shared bytes from the setup. Virtual devices only.
  std::shared_ptr<const LaunchRequest> recorded = nullptr;
};

// All built-in kernels, in the order in which a picker shows them.
const std::vector<KernelDescription>& built_in_kernels();
// Why descriptions are not among them: a message for each, with its file. The build fails if there are any.
const std::vector<std::string>& kernel_mistakes();
// Finds a kernel by its name, in upper or lower case. An unknown name is an error that lists the names.
Result<const KernelDescription*> find_kernel(std::string_view name);
// The categories in the order of their first kernels, each once.
std::vector<std::string> kernel_categories();
// Reads one description. Bad JSON, unknown keys or expressions that do not parse are errors with the file's
// name.
Result<KernelDescription> parse_kernel(std::string_view json, std::string_view file);

// The user's choices for one kernel: what the Launch panel edits and a session saves.
struct KernelSetup {
  std::string kernel;
  std::map<std::string, double> values;  // by name; if absent, the description's value
  std::shared_ptr<const Image> image;    // for arguments filled with an image; null for the sample picture
  std::string image_path;
  Dim3 block;
  Dim3 grid;
  bool fit_grid = true;  // grid follows problem and block
  uint32_t shared_dynamic_bytes = 0;
  uint64_t data_seed = 1;  // of random fills
};

KernelSetup default_setup(const KernelDescription& kernel);

// Whether the kernel's code relies on the size of its block, so that no other can be offered. A block that
// only must be flat (1 in y and z) may have any width, so it does not count.
bool is_block_bound(const KernelDescription& kernel);
// The value of the setting `max_registers`. 0 if there is no limit.
uint32_t register_cap(const KernelDescription& kernel, const KernelSetup& setup);
// The key under which a kernel's resources are stored. The same kernel with another register limit has
// another key.
std::string resources_key(std::string_view kernel, uint32_t max_registers);

// The problem's extents in threads, per axis, for these values.
Result<Dim3> problem_size(const KernelDescription& kernel, const KernelSetup& setup);
// ceil(problem / block) per axis; saturates at 2^32 − 1.
Result<Dim3> fitted_grid(const KernelDescription& kernel, const KernelSetup& setup);

// Builds the request: fills buffers, evaluates expressions, sets grid and block. Values outside their range,
// NaN, and sizes that do not fit into memory (more than 2 GiB in total) are errors.
Result<LaunchRequest> make_request(const KernelDescription& kernel, const KernelSetup& setup,
                                   const Device& device);

// Runs the CPU reference of the kernel on the request's inputs and compares the result's outputs with it;
// also measures the reference's time. A result without outputs, or a kernel without a reference, gives no
// checks.
struct CheckedAgainstCpu {
  std::vector<Check> checks;
  double cpu_ms = 0;
};
CheckedAgainstCpu check_against_cpu(const KernelDescription& kernel, const LaunchRequest& request,
                                    const RunResult& result);

// Compares two buffers element by element. With rtol 0 they must be equal bit for bit; otherwise |got −
// want| ≤ rtol · max(|want|, rms(want)), and NaN equals NaN.
Check compare_buffers(std::string_view name, DType type, std::span<const std::byte> got,
                      std::span<const std::byte> want, double rtol);

}  // namespace warplens
