#!/usr/bin/env python3
"""Wall time of a program that says its version and ends: `taxo --version` and `procsim-train --version`, in turns.

    bench/start_time.py [--rounds 30]
"""
import argparse

from bench_row import add_options, finish, in_turns, run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, rounds=30)
    options = parser.parse_args()
    programs = {"taxo": 20, "procsim-train": 150}
    start = lambda name: 1000 * run([options.bin / name, "--version"])[1]
    sides = [lambda name=name: start(name) for name in programs]
    in_turns(2, *sides)  # from disk into memory
    for (name, target), milliseconds in zip(programs.items(), in_turns(3 if options.quick else options.rounds, *sides)):
        finish(options, f"start-{name}", f"start of `{name} --version`", milliseconds, target, unit="ms")


if __name__ == "__main__":
    main()
