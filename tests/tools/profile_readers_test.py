#!/usr/bin/env python3
"""The CSV of warplens profile in readers that were written for the profiler's: what public scripts do with `ncu --csv`.

  tests/tools/profile_readers_test.py build/release/warplens

Each reader does what several scripts do, in this file's own words: rows from the header on, a table of launches by
metrics, units that are scaled, numbers with separators of thousands, names of kernels without their parameters. Those with
pandas run where pandas is installed.
"""
import csv
import io
import os
import subprocess
import sys
import unittest

try:
    import pandas
except ImportError:
    pandas = None

BIN = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/warplens")
KERNEL = ["reduce_two_launches", "--device", "3060"]
SECONDS = {"ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6, "ms": 1e-3, "msecond": 1e-3, "s": 1, "second": 1}
BYTES = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def page(*arguments):
    done = subprocess.run([BIN, "profile", *KERNEL, "--csv", *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def from_header(text):
    """Lines from the header on: the profiler's own messages (==PROF==) and the program's output may stand above it."""
    lines = [line for line in text.splitlines() if not line.startswith("==")]
    first = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    return "\n".join(lines[first:])


def number(text):
    """As a number, with or without separators of thousands; None for what is none, such as n/a."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def launches_by_metric(text):
    """{ID: {metric: (value, unit)}} of the details page."""
    launches = {}
    for row in csv.DictReader(io.StringIO(from_header(text))):
        if row["Metric Name"]:
            launches.setdefault(int(row["ID"]), {})[row["Metric Name"]] = (number(row["Metric Value"]), row["Metric Unit"])
    return launches


class LongTable(unittest.TestCase):
    """`ncu --csv`: a row a metric."""

    def test_launches_by_metric(self):
        launches = launches_by_metric(page())
        self.assertEqual(sorted(launches), [0, 1])
        for metrics in launches.values():
            value, unit = metrics["Duration"]
            self.assertTrue(1e-7 < value * SECONDS[unit] < 1, (value, unit))
            value, unit = metrics["Load Bytes"]
            self.assertGreaterEqual(value * BYTES[unit], 0)
            self.assertGreater(metrics["Registers Per Thread"][0], 0)
            self.assertGreater(metrics["Achieved Occupancy"][0], 0)
            self.assertIsNone(metrics["Avg. Not Predicated Off Threads Per Warp"][0], "n/a is no number")
        self.assertGreater(launches[0]["Grid Size"][0], launches[1]["Grid Size"][0])

    def test_metrics_that_were_asked_for_have_their_own_names(self):
        names = "gpu__time_duration.sum,dram__bytes_read.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
        for metrics in launches_by_metric(page("--metrics", names)).values():
            self.assertEqual(sorted(metrics), sorted(names.split(",")))
            self.assertIn(metrics["gpu__time_duration.sum"][1], SECONDS)
            self.assertIn(metrics["dram__bytes_read.sum"][1], BYTES)

    def test_numbers_need_no_other_cleaning(self):
        for row in csv.DictReader(io.StringIO(from_header(page()))):
            if row["Metric Name"] and row["Metric Value"] != "n/a":
                self.assertNotIn(",", row["Metric Value"], "float() reads it as it stands")
                float(row["Metric Value"])

    def test_kernels_by_their_short_names(self):
        names = {row["Kernel Name"].split("(")[0].split("<")[0]
                 for row in csv.DictReader(io.StringIO(from_header(page())))}
        self.assertTrue(all(name.isidentifier() for name in names), names)

    def test_sections_tell_names_apart_that_stand_twice(self):
        twice = {}
        for row in csv.DictReader(io.StringIO(from_header(page()))):
            if row["Metric Name"] == "Memory Throughput" and row["ID"] == "0":
                twice[row["Section Name"]] = row["Metric Unit"]
        self.assertEqual(twice, {"GPU Speed Of Light Throughput": "%", "Memory Workload Analysis": "byte/s"})


class WideTable(unittest.TestCase):
    """`ncu --csv --page raw`: a row a launch, and the units in the second row."""

    def test_units_stand_in_the_row_below_the_header(self):
        rows = list(csv.reader(io.StringIO(from_header(page("--page", "raw")))))
        header, units, *launches = rows
        self.assertEqual([row[0] for row in launches], ["0", "1"])
        self.assertEqual(len({len(row) for row in rows}), 1)
        unit = dict(zip(header, units))
        self.assertEqual((unit["gpu__time_duration.sum"], unit["dram__bytes_read.sum"], unit["launch__grid_size"]),
                         ("ns", "byte", ""))
        at = header.index("launch__grid_size")
        self.assertGreater(int(launches[0][at]), int(launches[1][at]))

    def test_both_pages_say_the_same(self):
        names = ["launch__block_size", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "gpu__time_duration.sum"]
        long = launches_by_metric(page("--metrics", ",".join(names)))
        _, *wide = csv.DictReader(io.StringIO(from_header(page("--page", "raw"))))
        for row in wide:
            for name in names:
                # The details page rounds to two decimal places.
                self.assertAlmostEqual(float(row[name]), long[int(row["ID"])][name][0], delta=0.005)


@unittest.skipUnless(pandas, "pandas is not installed")
class WithPandas(unittest.TestCase):
    def test_long(self):
        frame = pandas.read_csv(io.StringIO(from_header(page())))
        metrics = frame[frame["Metric Name"].notna()]
        self.assertEqual(str(metrics["Metric Value"].dtype), "float64", "n/a is read as not a number, the rest as numbers")
        table = metrics.pivot_table(index=["ID", "Kernel Name"], columns="Metric Name", values="Metric Value")
        self.assertEqual(table.shape[0], 2)
        self.assertTrue((table["Registers Per Thread"] > 0).all())

    def test_wide(self):
        text = from_header(page("--page", "raw"))
        units = pandas.read_csv(io.StringIO(text), nrows=1).iloc[0]
        frame = pandas.read_csv(io.StringIO(text), skiprows=[1])
        self.assertEqual(units["gpu__time_duration.sum"], "ns")
        self.assertEqual(list(frame["ID"]), [0, 1])
        for name in frame.columns[frame.columns.get_loc("CC") + 1:]:
            self.assertIn(str(frame[name].dtype), ("int64", "float64"), name)
        self.assertTrue((pandas.to_numeric(frame["gpu__time_duration.sum"]) > 0).all())


if __name__ == "__main__":
    unittest.main()
