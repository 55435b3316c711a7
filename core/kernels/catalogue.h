// The built-in kernels, described by data: cuda/kernels/NAME.cu beside cuda/kernels/NAME.json.
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

// What the Launch panel puts in front of an argument.
enum class Control : uint8_t { none, slider, log_slider, number, seed, image };

struct KernelArgument {
  std::string name;  // as in the CUDA source
  std::string title;
  bool is_buffer = false;
  DType dtype = DType::i32;
  Control control = Control::none;
  // Scalars: value = `expression` of other names (then it has no control), or the user's, within [minimum,
  // maximum].
  std::string expression;
  double value = 0, minimum = 0, maximum = 0;
  // Buffers. Extents are expressions over scalars and the problem's names: "width", "n", "m*k".
  Fill fill = Fill::zero;
  double fill_low = 0, fill_high = 1;  // random: uniform in [low, high)
  uint64_t fill_seed = 0;              // added to the setup's seed
  std::string formula;                 // formula: the value of element i
  bool output = false;
  std::string width, height, channels;  // height and channels default to 1
  // The kernel takes a texture object over the buffer and reads it so; its sizes are the buffer's.
  std::optional<TextureSpec> texture;
};

struct KernelCheck {
  std::string buffer;  // the output that is compared with the CPU reference
  double rtol = 0;     // 0: bit for bit; else |got − want| ≤ rtol · max(|want|, rms(want))
};

// Another kernel that does the same work without what this one teaches to avoid.
struct BetterKernel {
  std::string problem;  // id of the warning that it mends, or "fault"
  std::string kernel, label;
};

// An argument of a launch behind the first: an argument, setting or buffer by its name, or a value of its
// own.
struct StepArgument {
  std::string name;  // empty: `expression` of type `dtype`
  DType dtype = DType::i32;
  std::string expression;
};

// One step of a program: what a host does with the device.
struct KernelStep {
  enum class Kind : uint8_t { allocate, copy_in, launch, copy_out, free };
  Kind kind = Kind::launch;
  std::string buffer;  // all kinds but launch
  std::string entry;
  // Of launches behind the first, which has the description's own.
  std::vector<StepArgument> arguments;
  std::array<std::string, 3> problem;
  std::optional<Dim3> block;  // empty: the user's
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
  // Numbers that are no parameters: names for expressions, with controls. One named `max_registers` caps the
  // registers that the compiler may use for a thread.
  std::vector<KernelArgument> settings;
  std::vector<KernelArgument> buffers;  // arrays that the first launch does not take
  std::vector<KernelConstant> constants;
  std::vector<KernelStep> steps;  // empty: all arrays in, one launch, the outputs back
  Dim3 default_block;
  std::optional<Dim3> default_grid;  // empty: the grid that fits
  // Each thread goes on to further elements until none is left, so that any grid covers the problem.
  bool grid_stride = false;
  std::vector<Dim3> block_presets;
  // One expression per axis over arguments, settings, block_x, block_y, block_z: the number of threads
  // needed; the grid that fits is its ceil-div by the block.
  std::array<std::string, 3> problem;
  // How one thread finds its element, for the index formula: "x = blockIdx.x * blockDim.x + threadIdx.x", a
  // line each.
  std::vector<std::string> index_formula;
  // The block is bound by the kernel (a tile size): each axis must equal this where not 0.
  Dim3 required_block{0, 0, 0};
  std::string reference;  // name of the CPU reference in references.h
  std::vector<KernelCheck> checks;
  bool intentionally_broken = false;   // the lesson is the fault
  std::vector<BetterKernel> better;    // a row a problem that no setting mends
  std::optional<LibraryTask> library;  // that well-known libraries do as well
  int order = 0;                       // place in a picker, ascending
  // An own kernel (own_kernel.h): not in the catalogue, and replaced by a new description at every edit.
  bool own = false;
  std::string path;  // of an own kernel's file; empty: it has none yet
};

// All built-in kernels, in the order in which a picker shows them. Errors in the descriptions are reported by
// tests.
const std::vector<KernelDescription>& built_in_kernels();
// Without case; an unknown name is an error that lists the names.
Result<const KernelDescription*> find_kernel(std::string_view name);
// The categories in the order of their first kernels, each once.
std::vector<std::string> kernel_categories();
// Reads one description. Bad JSON, unknown keys or expressions that do not parse are errors with the file's
// name.
Result<KernelDescription> parse_kernel(std::string_view json, std::string_view file);

// The user's choices for one kernel: what the Launch panel edits and a session saves.
struct KernelSetup {
  std::string kernel;
  std::map<std::string, double> values;  // arguments and settings by name; absent: the description's value
  std::shared_ptr<const Image> image;    // for arguments filled with an image; null: the sample picture
  std::string image_path;
  Dim3 block;
  Dim3 grid;
  bool fit_grid = true;  // grid follows problem and block
  uint32_t shared_dynamic_bytes = 0;
  uint64_t data_seed = 1;  // of random fills
};

KernelSetup default_setup(const KernelDescription& kernel);

// The kernel's code counts on the size of the block: no other can be offered. A block that must be flat (1 in
// y and z) may still have any width.
bool is_block_bound(const KernelDescription& kernel);
// The value of the setting `max_registers`; 0: no cap.
uint32_t register_cap(const KernelDescription& kernel, const KernelSetup& setup);
// What a kernel's registers are remembered by: under another cap it is another kernel.
std::string resources_key(std::string_view kernel, uint32_t max_registers);

// The problem's extents in threads, per axis, for these values.
Result<Dim3> problem_size(const KernelDescription& kernel, const KernelSetup& setup);
// ceil(problem / block) per axis; saturates at 2^32 − 1.
Result<Dim3> fitted_grid(const KernelDescription& kernel, const KernelSetup& setup);

// Builds the request: fills buffers, evaluates expressions, sets grid and block. Values outside their range,
// NaN, sizes that do not fit into memory (more than 2 GiB in all) are errors.
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

// Compares two buffers element by element. rtol 0: bit for bit; else |got − want| ≤ rtol · max(|want|,
// rms(want)), and NaN equals NaN.
Check compare_buffers(std::string_view name, DType type, std::span<const std::byte> got,
                      std::span<const std::byte> want, double rtol);

}  // namespace warplens
