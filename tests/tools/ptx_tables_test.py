"""The tables of tests/data/ptx: what reads and writes them, and that the forms in tests/data/truth ask for just what they hold."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/data/truth"))
sys.dont_write_bytecode = True

import ptx_tables

DATA = ROOT / "tests/core/gpu/exec/data"
FORM = "form a\nin 4\nout 4\n  abs.s32 %y0, %x0;\n"


class Tables(unittest.TestCase):
    def test_the_kernel_is_the_one_that_the_tests_run(self):
        [case] = ptx_tables.read_table(DATA / "frame.cases")
        self.assertEqual(case.module(), (DATA / "frame.ptx").read_text())

    def test_what_is_written_is_read_the_same(self):
        for path in [DATA / "frame.cases", ROOT / "tests/data/ptx/add.cases", ROOT / "tests/data/ptx/atom.cases", ROOT / "tests/data/ptx/tex.cases"]:
            cases = ptx_tables.read_table(path)
            self.assertEqual(ptx_tables.read_text(ptx_tables.table_text("x", cases), "x"), cases)

    def test_a_mistake_is_named_with_its_line(self):
        for text, error in [("in 4\n", "t:1: this stands before the first 'form NAME'"),
                            (FORM + FORM, "t:5: a second form a"),
                            (FORM + ": 00000000\n", "t:5: a row is ': operands = results'"),
                            (FORM + ": 0000 = 00000000\n", "t:5: '0000' is no number of 8 hexadecimal digits"),
                            (FORM + ": 00000000 00000000 = ?\n", "t:5: 2 operands, but the form has 1"),
                            (FORM + "abs.s32 %y0, %x0;\n", "t:5: no line begins with 'abs.s32'")]:
            with self.assertRaises(ptx_tables.TableError) as caught:
                ptx_tables.read_text(text, "t")
            self.assertEqual(str(caught.exception), error)

    def test_a_row_without_results_is_one_to_record(self):
        [new] = ptx_tables.read_text(FORM + ": 00000000 = ?\n", "t")
        [known] = ptx_tables.read_text(FORM + ": 00000000 = 00000000\n", "t")
        self.assertFalse(new.is_recorded())
        self.assertTrue(known.is_recorded())
        self.assertTrue(new.asks_the_same(known))

    def test_writing_the_tables_again_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "ptx")
            shutil.copytree(ROOT / "tests/data/ptx", copy)
            subprocess.run([sys.executable, "-B", ROOT / "tests/data/truth/ptx_cases.py", "write", copy], check=True)
            try:
                import numpy
                subprocess.run([sys.executable, "-B", ROOT / "tests/data/truth/warp_forms.py", copy], check=True)
            except ImportError:
                pass  # those of whole warps stay as they were copied
            names = sorted(path.name for path in copy.iterdir())
            self.assertEqual(names, sorted(path.name for path in (ROOT / "tests/data/ptx").iterdir()))
            for name in names:
                self.assertTrue((copy / name).read_text() == (ROOT / "tests/data/ptx" / name).read_text(),
                                f"tests/data/truth asks for other forms or operands than tests/data/ptx/{name} holds")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
