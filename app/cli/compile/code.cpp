// warplens code: a kernel written for Numba, CuPy, PyCUDA or OpenCL, with the launch's numbers filled in.
#include <ostream>

#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/values.h"
#include "app/views/code/forms.h"

namespace warplens {

namespace {

struct CodeChoices {
  RunChoices run;
  std::string form = "cupy";
};

Result<void> print_code(CodeChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  const Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const Result<ChosenKernel> kernel = chosen_kernel(choices.run, *device, cli);
  if (!kernel) return kernel.error();
  const Result<KernelSetup> setup = kernel_setup(*kernel->kernel, choices.run);
  if (!setup) return setup.error();
  const Result<std::string> text = code_in(*code_form_from(choices.form), *kernel->kernel, *setup);
  if (!text) return text.error();
  cli.out << *text;
  return {};
}

}  // namespace

CliCommand code_command(Cli& cli) {
  const auto choices = std::make_shared<CodeChoices>();
  CliCommand command{"code",
                     "Print a kernel as a Python program, with the launch's numbers filled in",
                     {{.name = "kernel",
                       .value = &choices->run.target,
                       .help = "Built-in kernel (warplens kernels), CUDA C++ or PTX",
                       .value_name = "KERNEL|FILE.cu|FILE.ptx",
                       .required = true},
                      {.name = "--form",
                       .value = &choices->form,
                       .help = "Python library (default: cupy)",
                       .allowed = {"numba", "cupy", "pycuda", "opencl"}}},
                     [choices, &cli] { return print_code(*choices, cli); }};
  command.add(kernel_options(choices->run));
  return command;
}

}  // namespace warplens
