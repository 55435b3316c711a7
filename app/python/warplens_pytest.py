"""`pytest --warplens` runs the tests on WarpLens' virtual GPU (docs/pytest.md). PYTEST_DONT_REWRITE

pytest loads this file in every run of an environment that has the wheel. So nothing else of the package is imported until
--warplens is given."""

import pytest

MARK = ("warplens(device=NAME, sanitize=off|memory|all, strict=True|False): the virtual device that the test runs on, what "
        "is looked for in its kernels, and whether a finding fails it (only with --warplens)")


def pytest_addoption(parser):
    group = parser.getgroup("warplens", "CUDA on a virtual GPU, without a GPU (WarpLens)")
    group.addoption("--warplens", action="store_true", help="Run the tests on a virtual GPU, in a new process")
    group.addoption("--warplens-device", metavar="NAME", default="rtx_3060",
                    help="The device that the tests find (warplens devices); cuda:0: the first real GPU. Default: rtx_3060")
    group.addoption("--warplens-sanitize", choices=("off", "memory", "all"), default="off",
                    help="What to check in addition to bounds and alignment; all: also races and reads of uninitialised memory, several times slower. Default: off")
    group.addoption("--warplens-steps", metavar="N", default="",
                    help="Steps after which a kernel counts as endless; 0 for no limit. Default: 20 billion")
    group.addoption("--warplens-strict", action="store_true", help="A finding fails the test that had it")
    group.addoption("--warplens-record", metavar="DIR", default="",
                    help="Keep a recording of each test that failed in this folder; warplens FILE opens one")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)  # before pytest captures the output, and before any conftest.py
def pytest_load_initial_conftests(early_config):
    options = early_config.known_args_namespace
    if getattr(options, "warplens", False) and not getattr(options, "help", False) and not getattr(options, "version", 0):
        from warplens import _pytest_start

        _pytest_start.start_again(early_config)
    yield


@pytest.hookimpl(trylast=True)  # after pytest's own reporter, which a server does without
def pytest_configure(config):
    config.addinivalue_line("markers", MARK)
    if config.getoption("warplens") and not config.getoption("help", False):
        from warplens import _pytest_session

        _pytest_session.configure(config)
