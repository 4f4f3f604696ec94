#!/usr/bin/env python3
"""Takes the pictures of docs/images from a real run: the demo's workspace (scripts/demo.sh), or another whose labels are scored.

    python scripts/screenshots.py [WORKSPACE]      (default: build/demo; needs chromium and chromedriver, as scripts/setup.sh brings)

The report, its map, the same in the dark, and the review of a card with the model's candidates. Nothing is decided in the workspace:
it is copied first. Fewer colours keep each picture below 300 kB.
"""
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"
CURATE = ROOT / "build/bin/curate"
MOST_BYTES = 300_000
sys.path.insert(0, str(ROOT / "tests/browser"))
import webdriver  # noqa: E402


def take(page, name):
    from PIL import Image
    page.run("document.querySelectorAll('img').forEach(i => { if (i.getBoundingClientRect().top < innerHeight) i.loading = 'eager'; });")
    page.wait("[...document.querySelectorAll('img')].filter(i => i.loading === 'eager').every(i => i.complete)")
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.screenshot(file.name)
        picture = Image.open(file.name).convert("RGB")
    packed = io.BytesIO()
    picture.save(packed, "PNG", optimize=True)
    if packed.tell() > MOST_BYTES:  # fewer colours; those of large even areas stay as they are
        packed = io.BytesIO()
        picture.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    (IMAGES / name).write_bytes(packed.getvalue())
    print(f"{name}: {picture.width} × {picture.height}, {packed.tell() // 1000} kB")


def show_map(page):
    page.run("scrollTo(0, document.getElementById('map').offsetTop - document.getElementById('bar').offsetHeight - 12);")
    page.wait("document.getElementById('map-points').dataset.drawn === 'suspicion'")
    page.click("#map-colours [data-colour=class]")
    page.wait("document.getElementById('map-points').dataset.drawn === 'class'")
    page.run("document.activeElement.blur();")


def open_queue(page, url):
    page.open(url)
    page.wait("document.querySelectorAll('.card').length > 0")
    page.run("const r = document.getElementById('reviewer'); r.value = 'Ada'; r.dispatchEvent(new Event('change'));")
    page.wait("decisions.state")
    page.run("document.activeElement.blur();")
    page.keys("Enter")
    page.wait("document.querySelector('#focus img') && document.querySelector('#focus img').naturalWidth > 0")
    for _ in range(6):  # some way into the queue, to a card that is not obvious
        before = page.run("return document.getElementById('focus').dataset.sample;")
        page.keys("r")
        page.wait(f"document.getElementById('focus').dataset.sample !== '{before}'")
    page.wait("document.querySelector('#focus img').naturalWidth > 0")


def main():
    workspace = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/demo")
    if not (workspace / ".procsim").is_dir():
        sys.exit(f"screenshots: no workspace in {workspace}. Run scripts/demo.sh first, or name one.")
    driver = webdriver.Driver()
    with tempfile.TemporaryDirectory(prefix="screenshots-") as folder:
        copy = pathlib.Path(folder) / "workspace"
        shutil.copytree(workspace, copy, ignore=shutil.ignore_patterns("reports"))
        subprocess.run([CURATE, "report", "--quiet"], cwd=copy, check=True, stdout=subprocess.DEVNULL)
        report = next((copy / "reports").glob("*/report.html")).as_uri()
        server = subprocess.Popen([CURATE, "serve", "--audit", "0", "--quiet"], cwd=copy, stdout=subprocess.PIPE, text=True)
        page, large = driver.session((1280, 1000)), driver.session((1280, 1140))
        try:
            page.open(report)
            page.wait("document.querySelectorAll('.card').length > 0")
            take(page, "curate-report.png")
            show_map(page)
            take(page, "curate-map.png")
            page.run("document.getElementById('suspects').scrollIntoView();")
            page.keys("d")
            take(page, "curate-dark.png")
            open_queue(large, server.stdout.readline().strip())
            take(large, "curate-card.png")
        finally:
            page.close()
            large.close()
            driver.close()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
