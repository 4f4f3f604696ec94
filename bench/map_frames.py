#!/usr/bin/env python3
"""How smoothly the map of a curate report follows the mouse: headless Chromium, everything drawn by the processor.

    python bench/map_frames.py [--points 100000] [--frames 120]

Makes scores with places on a map, writes a report, and in the page moves, zooms and draws a lasso as a mouse would, an event a frame.
Prints for each how long drawing takes (the page's own work a frame) and how far frames lie apart.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/browser"))
import webdriver  # noqa: E402

MEASURE = """
window.frames_done = null;
(async (what, frames) => {
  const canvas = document.getElementById('map-points'), box = canvas.getBoundingClientRect();
  const at = (x, y) => ({clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true, cancelable: true, pointerId: 1});
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  canvas.setPointerCapture = () => {};
  const drawing = [], apart = [], original = sampleMap.drawNow;
  sampleMap.drawNow = function () { const begin = performance.now(); original.call(this); drawing.push(performance.now() - begin); };
  const steps = {
    move: [(i) => i === 0 ? new PointerEvent('pointerdown', {...at(0.5, 0.5), shiftKey: true})
                          : new PointerEvent('pointermove', {...at(0.5 + 0.3 * Math.sin(i / 9), 0.5 + 0.2 * Math.sin(i / 7)), shiftKey: true})],
    zoom: [(i) => new WheelEvent('wheel', {...at(0.4, 0.5), deltaY: i % 60 < 30 ? -60 : 60})],
    lasso: [(i) => i === 0 ? new PointerEvent('pointerdown', at(0.8, 0.5))
                           : new PointerEvent('pointermove', at(0.5 + 0.3 * Math.cos(6.3 * i / frames), 0.5 + 0.4 * Math.sin(6.3 * i / frames)))],
  };
  let last = await frame();
  for (let i = 0; i < frames; i += 1) {
    canvas.dispatchEvent(steps[what][0](i));
    const now = await frame();
    apart.push(now - last);
    last = now;
  }
  await frame();
  const begin = performance.now();
  canvas.dispatchEvent(new PointerEvent('pointerup', at(0.8, 0.5)));
  const chosen = performance.now() - begin;
  sampleMap.drawNow = original;
  view.filters = []; sampleMap.zoom = 1; sampleMap.left = sampleMap.top = 0; applyFilters();
  const sorted = (list) => [...list].sort((a, b) => a - b), of = (list, share) => sorted(list)[Math.floor(share * (list.length - 1))];
  window.frames_done = {drawing: [of(drawing, 0.5), of(drawing, 0.95)], apart: [of(apart, 0.5), of(apart, 0.95)], drawn: drawing.length, chosen};
})(arguments[0], arguments[1]);
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--frames", type=int, default=120)
    options = parser.parse_args()
    curate = pathlib.Path(os.environ.get("PROCSIM_BIN", ROOT / "build/bin")).resolve() / "curate"
    with tempfile.TemporaryDirectory(prefix="map-frames-") as folder:
        world = pathlib.Path(folder)
        subprocess.run([sys.executable, ROOT / "tests/browser/synthetic.py", "--out", world, "--samples", str(options.points),
                        "--classes", "200", "--images", "none"], check=True)
        subprocess.run([curate, "report", "--scores", world / "scores.parquet", "--taxonomy", world / "taxonomy.json", "--output", world / "report",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        driver = webdriver.Driver()
        page = driver.session()
        try:
            page.open((world / "report/report.html").as_uri())
            page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
            page.run("document.getElementById('map').scrollIntoView();")
            points, width, height = page.run("const c = document.getElementById('map-points'); return [sampleMap.x.length, c.width, c.height];")
            print(f"{points} points on {width} × {height} pixels; milliseconds, median and 95 %")
            for what in ("move", "zoom", "lasso"):
                page.run(MEASURE, what, options.frames)
                page.wait("window.frames_done", seconds=600)
                result = page.run("return window.frames_done;")
                print(f"{what:6} drawing {result['drawing'][0]:5.1f} {result['drawing'][1]:5.1f}   frames apart {result['apart'][0]:5.1f} "
                      f"{result['apart'][1]:5.1f}   at the end {result['chosen']:5.1f}   {json.dumps(result['drawn'])} frames drawn")
        finally:
            page.close()
            driver.close()


if __name__ == "__main__":
    main()
