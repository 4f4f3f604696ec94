"""The check of include_graph.py on small trees that are right or wrong. Our own tree is the test wall.includes."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import include_graph


class IncludeGraphTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, *includes, lines=0):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#pragma once\n" + "".join(f'#include "{i}"\n' for i in includes) + "\n" * lines)

    def test_a_tree_without_cycles_has_no_findings(self):
        self.write("data/base/error.hpp")
        self.write("data/files/csv.hpp", "data/base/error.hpp")
        self.write("data/files/csv.cpp", "data/files/csv.hpp", "embedded/page.hpp")
        self.write("train/runs/run.cpp", "data/files/csv.hpp", "data/base/error.hpp")
        self.assertEqual(include_graph.findings(self.root), [])

    def test_headers_that_include_each_other_are_named_in_order(self):
        self.write("tools/program/a.hpp", "tools/program/b.hpp")
        self.write("tools/program/b.hpp", "tools/program/c.hpp")
        self.write("tools/program/c.hpp", "tools/program/a.hpp")
        self.write("tools/program/d.hpp", "tools/program/a.hpp")
        self.assertEqual(
            include_graph.findings(self.root),
            ["headers include each other: tools/program/a.hpp → tools/program/b.hpp → tools/program/c.hpp → tools/program/a.hpp"],
        )

    def test_rooms_that_include_each_other_through_sources_are_found(self):
        self.write("curate/report/page.hpp")
        self.write("curate/report/card.cpp", "curate/review/queue.hpp")
        self.write("curate/review/queue.hpp")
        self.write("curate/review/server.cpp", "curate/report/page.hpp")
        self.assertEqual(
            include_graph.findings(self.root), ["rooms include each other: curate/report → curate/review → curate/report"]
        )

    def test_where_a_header_and_its_source_count_as_one_a_call_back_is_a_cycle(self):
        self.write("curate/report/a.hpp")
        self.write("curate/report/a.cpp", "curate/report/a.hpp", "curate/report/b.hpp")
        self.write("curate/report/b.hpp", "curate/report/a.hpp")
        expected = ["sources include each other: curate/report/a → curate/report/b → curate/report/a"]
        self.assertEqual(include_graph.findings(self.root), expected)

    def test_two_knots_are_two_findings(self):
        for room in ("noise/x", "noise/y"):
            self.write(f"{room}/a.hpp", f"{room}/b.hpp")
            self.write(f"{room}/b.hpp", f"{room}/a.hpp")
        self.assertEqual(len(include_graph.findings(self.root)), 2)

    def test_a_file_over_its_folder_s_length_is_named(self):
        self.write("train/runs/short.cpp", lines=9)
        self.write("train/runs/long.cpp", lines=10)
        self.write("noise/long.cpp", lines=10)
        with mock.patch.dict(include_graph.MOST_LINES, {"train": 10}):
            self.assertEqual(
                include_graph.findings(self.root), ["train/runs/long.cpp has 11 lines, more than 10: take a part of it out"]
            )

    def test_a_method_compared_by_its_name_is_found_outside_the_registry(self):
        for name in ("train/loop/loop.cpp", "train/methods/registry.cpp"):
            self.write(name)
            (self.root / name).write_text('if (config.method == "procsim") {}\n')
        expected = ["train/loop/loop.cpp compares the name of a method: only the registry may"]
        self.assertEqual(include_graph.findings(self.root), expected)

    def test_so_is_what_a_method_is_made_of_however_it_is_written(self):
        self.write("train/loop/loop.cpp")
        for line in ('config.loss == "ms"', 'config_.confidence != kOracle', '"ms" == loss', 'name == config.method',
                     'loss == "ms"', '"oracle" != parts.confidence'):
            (self.root / "train/loop/loop.cpp").write_text(f"if ({line}) return;\n")
            self.assertEqual(len(include_graph.findings(self.root)), 1, line)
        for line in ("loss == 0", 'field == "method"', "confidence.numel() == labels.numel()", 'config.confidence_scope == "pair"'):
            (self.root / "train/loop/loop.cpp").write_text(f"if ({line}) return;\n")
            self.assertEqual(include_graph.findings(self.root), [], line)

    def test_the_program_fails_on_a_finding_and_on_nothing_else(self):
        def exit_code():
            program = [sys.executable, include_graph.__file__, str(self.root)]
            return subprocess.run(program, capture_output=True, check=False).returncode

        self.write("tools/program/a.hpp", "tools/program/b.hpp")
        self.write("tools/program/b.hpp")
        self.assertEqual(exit_code(), 0)
        self.write("tools/program/b.hpp", "tools/program/a.hpp")
        self.assertEqual(exit_code(), 1)


if __name__ == "__main__":
    unittest.main()
