"""Exports every example for every target with the command line, and hands each file to a real
reader: bash, shellcheck, json, PyYAML, and the CRD schema as strict as an API server."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESHWRIGHT = ROOT / "target" / "release" / "meshwright"
SCHEMAS = ROOT / "tests" / "schemas"


def strict(schema):
    """The schema with unknown fields refused, as fieldValidation=Strict does."""
    if isinstance(schema, dict):
        if "properties" in schema and "additionalProperties" not in schema:
            if not schema.get("x-kubernetes-preserve-unknown-fields"):
                schema["additionalProperties"] = False
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)
    return schema


def crd_schema(document):
    group, _, version = document["apiVersion"].partition("/")
    name = f"{group}_{document['kind'].lower()}_{version}.json"
    schema = strict(json.loads((SCHEMAS / name).read_text()))
    schema["properties"]["metadata"] = {"type": "object"}
    return schema


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout


def check_shell(path):
    run(["bash", "-n", str(path)])
    run(["shellcheck", "-S", "warning", "-s", "bash", str(path)])
    late = re.search(r"^[^#\n][^\n]*\n(?:.*\n)*?#SBATCH", path.read_text(), re.MULTILINE)
    assert late is None, "#SBATCH after the first command is ignored by Slurm"


def check_yaml(path):
    for document in yaml.safe_load_all(path.read_text()):
        if "apiVersion" in document:
            jsonschema.Draft202012Validator(crd_schema(document)).validate(document)


READERS = {
    ".sh": check_shell,
    ".sbatch": check_shell,
    ".json": lambda path: json.loads(path.read_text()),
    ".yaml": check_yaml,
}


def main():
    passed = failed = 0
    targets = run([str(MESHWRIGHT), "export", "--list"]).split("\n")
    targets = [line.split()[0] for line in targets if line.strip()]
    for project in sorted((ROOT / "examples").glob("*.yaml")):
        for target in targets:
            with tempfile.TemporaryDirectory() as folder:
                command = [str(MESHWRIGHT), "export", str(project), "--target", target]
                done = subprocess.run(
                    [*command, "--out", folder], capture_output=True, text=True, check=False
                )
                if done.returncode != 0:
                    print(f"refused {project.name} {target}: {done.stderr.strip()}")
                    continue
                for path in sorted(pathlib.Path(folder).rglob("*")):
                    if path.is_dir():
                        continue
                    try:
                        READERS[path.suffix](path)
                        passed += 1
                    except Exception as error:  # noqa: BLE001
                        failed += 1
                        print(f"FAILED {project.name} {target} {path.name}: {error}")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
