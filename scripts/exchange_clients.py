"""One client of scripts/check_exchange.sh, run by the client's own interpreter: exchange_clients.py CLIENT WORLD"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

CURATE = os.environ["CURATE"]
CARDS = 40


def curate(workspace, *arguments, world):
    command = [CURATE, *map(str, arguments)]
    if arguments[0] in ("import", "log"):  # import makes it, with the first decisions
        command += ["--workspace", str(workspace)]
    if arguments[0] not in ("log",):
        command += ["--scores", str(world / "scores.parquet"), "--taxonomy", str(world / "taxonomy.json")]
    result = subprocess.run(command, capture_output=True, text=True, cwd=workspace)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {result.stderr}")
    return result.stdout


def recorded(workspace, world):
    return {row["sample"]: row for row in map(json.loads, curate(workspace, "log", "--json", world=world).splitlines())}


def compare(client, wanted, workspace, world):
    """Every verdict, and no other: sample → (verdict, label name or None)."""
    rows = recorded(workspace, world)
    import_names = json.loads((world / "taxonomy.json").read_text())["classes"]
    found = {}
    for sample, row in rows.items():
        label = row.get("label")
        found[sample] = (row["verdict"], import_names[label]["name"] if label is not None else None)
    if found != wanted:
        odd = {key: (wanted.get(key), found.get(key)) for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key)}
        raise SystemExit(f"{client}: {len(odd)} of {len(wanted)} verdicts differ (wanted, found): {dict(list(odd.items())[:5])}")
    kinds = {kind: sum(verdict == kind for verdict, _ in wanted.values()) for kind in ("keep", "relabel", "none", "ambiguous")}
    print(f"{client}: all {len(wanted)} verdicts arrived ({', '.join(f'{n} {kind}' for kind, n in kinds.items() if n)})")


def label_studio(world, workspace):
    base, token = "http://127.0.0.1:18099", "0123456789abcdef0123456789abcdef01234567"
    data = pathlib.Path(tempfile.mkdtemp(prefix="label-studio-"))
    environment = dict(os.environ, LABEL_STUDIO_BASE_DATA_DIR=str(data), COLLECT_ANALYTICS="false", LATEST_VERSION_CHECK="false",
                       LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN="true", LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED="true",
                       LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT=str(world))
    program = pathlib.Path(sys.executable).parent / "label-studio"
    log = open(data / "log", "w")
    server = subprocess.Popen([program, "start", "--no-browser", "--port", "18099", "--username", "ada@example.org", "--password",
                               "exchange-1", "--user-token", token], env=environment, cwd=data, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ask(method, path, body=None):
        request = urllib.request.Request(base + path, json.dumps(body).encode() if body is not None else None,
                                         {"Authorization": f"Token {token}", "Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    try:
        for _ in range(1500):  # it makes its database first, for minutes where the processor is busy
            try:
                ask("GET", "/api/projects")
                break
            except urllib.error.HTTPError as error:
                raise SystemExit(f"label-studio: {error.code} {error.read()[:300]}")
            except OSError:
                if server.poll() is not None:
                    raise SystemExit(f"label-studio: the server ended: {(data / 'log').read_text()[-500:]}")
                time.sleep(1)
        else:
            raise SystemExit(f"label-studio: the server did not come up: {(data / 'log').read_text()[-500:]}")
        export = ("export", "--format", "label-studio", "--top", CARDS)
        tasks = json.loads(curate(workspace, *export, "--image-prefix", "/data/local-files/?d=images/", world=world))
        config = curate(workspace, *export, "--config", world=world)
        project = ask("POST", "/api/projects", {"title": "suspects", "label_config": config})["id"]
        # What lets it serve the images that the tasks name: a storage of local files, a row beside the project.
        ask("POST", "/api/storages/localfiles", {"project": project, "title": "images", "path": str(world / "images"), "use_blob_urls": True})
        ask("POST", f"/api/projects/{project}/import?return_task_ids=true", tasks)
        stored = []
        for page in range(1, 100):
            try:
                stored += ask("GET", f"/api/projects/{project}/tasks?page={page}&page_size=100")
            except urllib.error.HTTPError:  # behind the last page
                break
        if len(stored) != len(tasks):
            raise SystemExit(f"label-studio: {len(stored)} of {len(tasks)} tasks are there")
        wanted = {}
        for i, task in enumerate(stored):
            sample, given = task["data"]["sample_id"], task["data"]["given_label"]
            suggested = next(each for each in tasks if each["data"]["sample_id"] == sample)["predictions"][0]["result"][0]["value"]["choices"][0]
            choice, verdict = [(given, ("keep", None)), (suggested, ("relabel", suggested)), ("(none of the classes)", ("none", None)),
                               ("(ambiguous)", ("ambiguous", None))][i % 4]
            ask("POST", f"/api/tasks/{task['id']}/annotations", {"result": [
                {"from_name": "label", "to_name": "image", "type": "choices", "value": {"choices": [choice]}}]})
            wanted[sample] = verdict
        exported = ask("GET", f"/api/projects/{project}/export?exportType=JSON")
        (workspace / "annotated.json").write_text(json.dumps(exported))
        curate(workspace, "import", workspace / "annotated.json", world=world)
        compare("label-studio", wanted, workspace, world)
        for task in stored:
            picture = urllib.request.Request(base + task["data"]["image"], headers={"Authorization": f"Token {token}"})
            with urllib.request.urlopen(picture, timeout=60) as answer:
                served = answer.read()
            assert served == (world / "images" / task["data"]["image"].split("?d=images/")[1]).read_bytes(), "another image than the task's"
        print(f"label-studio: serves the {len(stored)} images of its tasks from the folder of the data set")
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(data, ignore_errors=True)


def fiftyone(world, workspace):
    import fiftyone as fo
    from fiftyone.core.config import FiftyOneConfigError
    folder, out = workspace / "fiftyone", workspace / "fiftyone-out"
    folder.mkdir()
    (folder / "data").symlink_to(world / "images")
    curate(workspace, "export", "--format", "fiftyone", "--top", CARDS, "--output", folder / "labels.json", world=world)
    wanted = {}

    def decide(i, label):
        if i % 2:
            wanted[int(label["sample_id"])] = ("relabel", label["suggested"])
            label["label"] = label["suggested"]

    try:
        dataset = fo.Dataset.from_dir(dataset_dir=str(folder), dataset_type=fo.types.FiftyOneImageClassificationDataset)
        found = len(dataset)
        for i, sample in enumerate(dataset):
            decide(i, sample["ground_truth"])
            sample.save()
        dataset.export(export_dir=str(out), dataset_type=fo.types.FiftyOneImageClassificationDataset, label_field="ground_truth",
                       include_attributes=True, export_media=False)
        dataset.delete()
    except FiftyOneConfigError as error:
        print(f"fiftyone: no database here ({str(error).splitlines()[0]}); its importer and exporter are used without one")
        found = fiftyone_files(folder, out, decide)
    if found != CARDS:
        raise SystemExit(f"fiftyone: {found} of {CARDS} samples are there")
    curate(workspace, "import", out / "labels.json", "--reviewer", "ada", world=world)
    compare("fiftyone", wanted, workspace, world)


def fiftyone_files(folder, out, decide):
    """What a data set of FiftyOne reads and writes these files with; the samples themselves would be in MongoDB."""
    from fiftyone.utils.data.exporters import FiftyOneImageClassificationDatasetExporter
    from fiftyone.utils.data.importers import FiftyOneImageClassificationDatasetImporter
    found = 0
    with FiftyOneImageClassificationDatasetImporter(dataset_dir=str(folder)) as samples, \
            FiftyOneImageClassificationDatasetExporter(export_dir=str(out), export_media=False, include_attributes=True) as exporter:
        for i, (path, _, label) in enumerate(samples):
            assert pathlib.Path(path).read_bytes()[:2] == b"\xff\xd8", path
            decide(i, label)
            exporter.export_sample(path, label)
            found += 1
    return found


def datumaro(world, workspace):
    import datumaro as dm
    folder = workspace / "datumaro"
    (folder / "annotations").mkdir(parents=True)
    (folder / "images").symlink_to(world / "images")
    curate(workspace, "export", "--format", "datumaro", "--top", CARDS, "--output", folder / "annotations/default.json", world=world)
    dataset = dm.Dataset.import_from(str(folder), "datumaro")
    if len(dataset) != CARDS:
        raise SystemExit(f"datumaro: {len(dataset)} of {CARDS} items are there")
    names = dataset.categories()[dm.AnnotationType.label]
    wanted, changed = {}, []
    for i, item in enumerate(list(dataset)):
        label = item.annotations[0]
        sample = int(label.attributes["sample_id"])
        if i % 3 == 1:
            wanted[sample] = ("relabel", label.attributes["suggested"])
            item = item.wrap(annotations=[label.wrap(label=names.find(label.attributes["suggested"])[0])])
        elif i % 3 == 2:
            wanted[sample] = ("none", None)
            item = item.wrap(annotations=[])
        changed.append(item)
    result = dm.Dataset.from_iterable(changed, categories=dataset.categories(), media_type=dm.Image)
    result.export(str(workspace / "datumaro-out"), "datumaro", save_media=False)
    file = next((workspace / "datumaro-out/annotations").glob("*.json"))
    curate(workspace, "import", file, "--reviewer", "ada", world=world)
    compare("datumaro", wanted, workspace, world)


def cleanlab(world, workspace):
    import numpy as np
    import pyarrow.parquet as pq
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores
    table = pq.read_table(world / "scores.parquet")
    classes = len(json.loads(table.schema.metadata[b"procsim"])["classes"])
    labels = table["label"].to_numpy()
    probabilities = np.full((len(labels), classes), 1e-3)
    probabilities[np.arange(len(labels)), labels] = table["p_given"].to_numpy()
    for row, (rivals, values) in enumerate(zip(table["rival_labels"].to_pylist(), table["rival_probabilities"].to_pylist())):
        probabilities[row, rivals] = np.maximum(values, 1e-3)
    probabilities /= probabilities.sum(1, keepdims=True)
    quality = get_label_quality_scores(labels, probabilities)
    lines = [f"{sample},{score:.9f}" for sample, score in zip(table["sample_id"].to_pylist(), quality)]
    (workspace / "cleanlab.csv").write_text("sample_id,label_quality\n" + "\n".join(lines) + "\n")
    result = subprocess.run([CURATE, "compare", str(world / "scores.parquet"), str(workspace / "cleanlab.csv"), "--json"],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"cleanlab: {result.stderr}")
    issues = find_label_issues(labels, probabilities, return_indices_ranked_by="self_confidence")
    compared = json.loads(result.stdout)
    print(f"cleanlab: {len(lines)} label qualities compared (rank correlation {compared['spearman']:.3f}), {len(issues)} issues of its own")
    names = [entry["name"] for entry in json.loads(table.schema.metadata[b"procsim"])["classes"]]
    wanted, rows = {}, ["sample_id,verdict,new_label,reviewer"]
    for row in np.argsort(quality)[:CARDS]:
        sample, best = table["sample_id"][int(row)].as_py(), int(probabilities[row].argmax())
        wanted[sample] = ("keep", None) if best == labels[row] else ("relabel", names[best])
        rows.append(f"{sample},{wanted[sample][0]},{wanted[sample][1] or ''},cleanlab")
    (workspace / "issues.csv").write_text("\n".join(rows) + "\n")
    curate(workspace, "import", workspace / "issues.csv", world=world)
    compare("cleanlab", wanted, workspace, world)


def datasets(world, workspace):
    import datasets as hf
    os.environ["HF_DATASETS_OFFLINE"] = "1"
    hf.disable_progress_bars()
    taxo = pathlib.Path(CURATE).parent / "taxo"
    subprocess.run([taxo, "build", str(world / "images")], cwd=workspace, check=True, capture_output=True)
    labels = next((workspace / ".procsim/labels").glob("*.parquet"))
    loaded = hf.load_dataset("parquet", data_files=str(labels), cache_dir=str(workspace / "cache"))["train"]
    folders = sorted(path.name for path in (world / "images").iterdir())
    assert isinstance(loaded.features["label"], hf.ClassLabel), loaded.features
    assert loaded.features["label"].names == folders, loaded.features["label"].names
    print(f"datasets: the label set loads with {len(folders)} class names")
    digest = json.loads(subprocess.run([CURATE, "log", "--verify", "--json"], cwd=workspace, capture_output=True, text=True).stdout)
    assert digest["intact"]
    relabelled = {row["sample_id"]: folders[(row["label"] + 1) % len(folders)] for row in loaded.select(range(0, len(loaded), 3))}
    (workspace / "decisions.csv").write_text("sample_id,verdict,new_label,reviewer\n" + "".join(
        f"{sample},relabel,{name},ada\n" for sample, name in relabelled.items()))
    probabilities = workspace / "probabilities.csv"
    rows = ["sample_id," + ",".join(folders)]
    for row in loaded:
        rows.append(f"{row['sample_id']}," + ",".join("0.9" if i == row["label"] else f"{0.1 / (len(folders) - 1):.6f}" for i in range(len(folders))))
    probabilities.write_text("\n".join(rows) + "\n")
    for command in (["import-scores", str(probabilities)], ["import", str(workspace / "decisions.csv")],
                    ["apply", "--huggingface", str(workspace / "corrected")]):
        result = subprocess.run([CURATE, *command], cwd=workspace, capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"datasets: {command}: {result.stderr}")
    corrected = hf.load_dataset(str(workspace / "corrected"), cache_dir=str(workspace / "cache"))["train"]
    assert corrected.features["label"].names == folders
    assert len(corrected) == len(loaded)
    published = {row["sample_id"]: folders[row["label"]] for row in loaded}
    for row in corrected:
        assert folders[row["label"]] == relabelled.get(row["sample_id"], published[row["sample_id"]]), row["sample_id"]
        assert row["image"].size[0] > 0
    print(f"datasets: all {len(relabelled)} verdicts arrived: the corrected image data set loads back with {len(corrected)} images")


if __name__ == "__main__":
    client, world = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="exchange-") as folder:
        globals()[client.replace("-", "_")](world, pathlib.Path(folder))
