"""The one door: python3 start.py [COMMAND] [OPTIONS]   (on Windows: py start.py).

Makes .venv beside this file, installs rulekit into it when pyproject.toml has changed since, and runs what was asked:
  lab        JupyterLab on the notebooks, the first one open (when nothing is named); python3 start.py lab -- OPTIONS
             hands OPTIONS to it
  test       every check, with the time of each; python3 start.py test -- OPTIONS hands OPTIONS to pytest
  bench      how long things take, printed as tables; python3 start.py bench NAME for one of them
  soak       random games, held to the invariants at every step, for as long as you like: --minutes 60
  notebooks  run the notebooks: --refresh rewrites their outputs, --check compares them, --repeat N looks for flakes
  pages      the odds lab and the question trainer as web pages (voila); OPTIONS as for lab
  lite       a static page that needs no installation, as .lite/site; --try uses it in Chromium without a network
  fuzz       input that coverage leads, for each thing that is read; needs atheris: --seconds 600
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit(
        f"rulekit needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable}).\n"
        "Install one (python.org, or your system's packages) and name it, such as: python3.12 start.py\n"
        "On Windows: py -3.12 start.py"
    )

ROOT = Path(__file__).resolve().parent
HOME = ROOT / ".venv"
PYTHON = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = HOME / "installed-for"
COMMANDS = {
    "lab": [["jupyterlab", "notebooks/00-start-here.ipynb"]],
    "test": [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy", "--strict", "rulekit"],
        # two at a time, and each file whole: a cell needs those before it
        ["pytest", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "--nbval", "tests", "notebooks"],
    ],
    "bench": [["tests.bench"]],
    "soak": [["tests.soak"]],
    "notebooks": [["tests.notebooks"]],
    "pages": [["voila", "notebooks/pages"]],
    "lite": [["tests.lite"]],
    "fuzz": [["tests.fuzz"]],
}


def main(words: list[str]) -> int:
    """Install what is missing, run the parts of one command, and return its exit status."""
    name, options = (words[0], words[1:]) if words and not words[0].startswith("-") else ("lab", words)
    if name not in COMMANDS or {"-h", "--help"} & set(words[:1]):
        print(__doc__)
        return 0 if name in COMMANDS else 2
    install()
    parts = COMMANDS[name]
    results = []
    for part in parts:
        started = time.monotonic()
        last = part is parts[-1]
        status = run(["-m", *part, *(options[options[:1] == ["--"] :] if last else [])])
        results.append((" ".join(part), status, time.monotonic() - started))
    if len(parts) > 1:
        for part_name, status, seconds in results:
            print(f"{part_name:<76} {seconds:6.1f} s  {'failed' if status else 'passed'}")
    return max(abs(status) for _, status, _ in results)


def install() -> None:
    """Make .venv and install rulekit with all that its checks need, unless that stands already."""
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + bytes(ROOT)).hexdigest()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return
    if not PYTHON.exists():
        make_environment()
    elif run(["-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('pip') is None)"]):
        run(["-m", "ensurepip"])  # a .venv that uv made, or one that was not finished
    print("Installing into .venv (about a minute the first time) ...", flush=True)
    status = run(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", ".[lab,test,cluster]"])
    if status:
        sys.exit(
            f"The installation ended with status {status}, see above. Is there a network? The same command tries again."
        )
    STAMP.write_text(wanted)


def make_environment() -> None:
    """Make .venv, or say what is missing on this machine."""
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit("This Python comes without ensurepip. On Debian or Ubuntu: sudo apt install python3-venv")
    try:
        venv.create(HOME, clear=True, with_pip=True)
    except KeyboardInterrupt:
        shutil.rmtree(HOME, ignore_errors=True)
        sys.exit(130)
    except (OSError, subprocess.CalledProcessError) as failure:
        shutil.rmtree(HOME, ignore_errors=True)
        sys.exit(f"Could not make {HOME}: {failure}\nOn Debian or Ubuntu: sudo apt install python3-venv")


def run(words: list[str]) -> int:
    """Run the Python of .venv and return its exit status; Ctrl-C is left to what runs."""
    process = subprocess.Popen([PYTHON, *words], cwd=ROOT)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
