"""Every code block of README.md and the documentation runs, and shown output is the real output."""

import gc
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BufferedWriter, BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest

from incrowd.cli import main
from markdown_blocks import Block, Command, blocks_of, commands_of, matches

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
DURATION = re.compile(r"\d ?(?:ms|seconds?|minutes?)\b|\d s\b")
PLAIN_TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}

pytestmark = [
    pytest.mark.usefixtures("beside_examples"),
    # Ibis 12 asks pandas 3 for an option that is going away, and calls DuckDB 2 by an old name.
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
]


@pytest.fixture
def beside_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory in which examples/... is there and nothing else."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_blocks_of_a_page_run(page: Path) -> None:
    """A page is one program and one session, top to bottom."""
    run(page)


def run(page: Path) -> None:
    """Execute a page's Python blocks in one namespace and its commands between them; compare what is printed."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed: list[str] | None = None
    blocks = blocks_of(page)
    # The first commands that anyone reads show that the installed one works; a process for every line takes minutes.
    installed = next((each for each in blocks if page == PAGES[0] and each.language == "console"), None)
    for block in blocks:
        if block.language == "output":
            compare_printed(block, printed)
        printed = None
        if block.language == "python" and block.runs:
            printed = run_python(block, namespace)
        if block.language in ("console", "console-wrapped") and block.runs:
            for command in commands_of(block):
                compare(block, command, run_command if block is installed else run_here)


def run_python(block: Block, namespace: dict[str, object]) -> list[str]:
    """What a Python block prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        # Lines are numbered as in the page, so that a traceback points there.
        exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec"), namespace)
    return trimmed(printed.getvalue().splitlines())


def compare_printed(block: Block, real: list[str] | None) -> None:
    """An output block shows what the Python block before it prints."""
    where = f"{block.page.name}:{block.line}"
    assert real is not None, f"{where}: an output block follows the Python block that prints it"
    shown = trimmed(block.text.splitlines())
    refuse_durations(where, shown)
    assert matches(shown, real), "\n".join([where, "shown:", *shown, "real:", *real])


def compare(block: Block, command: Command, run_line: Callable[[str], tuple[int, list[str]]]) -> None:
    """Run one command; without output on the page only success counts."""
    where = f"{block.page.name}:{block.line}: {command.line}"
    code, real = run_line(command.line)
    shown = trimmed(command.output)
    # 1 is an answer too: the table does not have the k that was asked for. An error may be shown, never hidden.
    fine = code in ((0, 1, 2, 3, 5) if shown else (0, 1)) and not any(line.startswith("Traceback") for line in real)
    assert fine, "\n".join([where, f"exit code {code}", *real])
    refuse_durations(where, shown)
    if shown:
        assert matches(shown, real), "\n".join([where, "shown:", *shown, "real:", *real])


def refuse_durations(where: str, shown: Sequence[str]) -> None:
    """Output that tells how long something took is another in every run."""
    timed = [line for line in shown if DURATION.search(line)]
    assert timed == [], f'{where}: shown output tells a duration; write "..." in its place'


def run_command(line: str) -> tuple[int, list[str]]:
    """The exit code of a command, and its output and errors as lines."""
    done = subprocess.run(
        # Beside the running Python, so that it is the command of this very installation.
        [Path(sys.executable).with_name("incrowd"), *words_of(line)],
        env={**os.environ, **PLAIN_TERMINAL},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, trimmed(done.stdout.splitlines())


def run_here(line: str) -> tuple[int, list[str]]:
    """The same in this process, where everything is imported already."""
    # What was there before is not looked through at the end.
    gc.freeze()
    pipe = BytesIO()
    # As in a process that writes into a pipe: errors appear at once, output when its buffer is full or the end comes.
    output = TextIOWrapper(BufferedWriter(pipe), encoding="utf-8")
    errors = TextIOWrapper(BufferedWriter(pipe), encoding="utf-8", line_buffering=True)
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(output), redirect_stderr(errors):
        for name, value in PLAIN_TERMINAL.items():
            patched.setenv(name, value)
        patched.setattr(sys, "argv", ["incrowd", *words_of(line)])
        with pytest.raises(SystemExit) as ended:
            main()
        output.flush()
    # What holds each other, such as a connection to a database, would end with the process.
    gc.collect()
    assert isinstance(ended.value.code, int)
    return ended.value.code, trimmed(pipe.getvalue().decode().splitlines())


def words_of(line: str) -> list[str]:
    """What stands behind `incrowd`."""
    name, *words = shlex.split(line)
    assert name == "incrowd", f"{line}: only incrowd is run here; mark the block no-run"
    return words


def trimmed(lines: Sequence[str]) -> list[str]:
    """Without spaces at the ends of lines and without blank lines around."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return text.split("\n") if text else []


# The rest sees to it that a wrong page is noticed.


def written(text: str) -> Path:
    """A page in the working directory."""
    page = Path("page.md")
    page.write_text(text, encoding="utf-8")
    return page


def test_a_failing_python_block_is_noticed() -> None:
    page = written("```python\nx = 1\n```\n\ntext\n\n```python\nassert x == 2\n```\n")
    with pytest.raises(AssertionError):
        run(page)


def test_a_block_may_read_the_examples() -> None:
    run(written("```python\nfrom pathlib import Path\nPath('examples/hospital.csv').read_bytes()\n```\n"))


def test_a_marked_block_does_not_run() -> None:
    run(written("<!-- no-run: needs a server -->\n```python\nraise ValueError\n```\n"))


@pytest.mark.parametrize("above", ["<!-- no-run -->", "<!-- no-run: -->", "<!-- no-run: why -->\n", "<!-- other -->"])
def test_a_mark_needs_a_reason_and_stands_directly_above(above: str) -> None:
    with pytest.raises(ValueError, match="it ran"):
        run(written(f"{above}\n```python\nraise ValueError('it ran')\n```\n"))


def test_printed_output_is_compared() -> None:
    run(written("```python\nprint('a')\n```\n\nprints\n\n```output\na\n```\n"))


@pytest.mark.parametrize("printed", ["print('b')", "pass"])
def test_wrong_printed_output_is_noticed(printed: str) -> None:
    with pytest.raises(AssertionError, match="real:"):
        run(written(f"```python\n{printed}\n```\n\n```output\na\n```\n"))


def test_an_output_that_nothing_prints_is_noticed() -> None:
    with pytest.raises(AssertionError, match="follows the Python block"):
        run(written("```python\nprint('a')\n```\n\n```text\n```\n\n```output\na\n```\n"))


def test_commands_see_what_python_wrote() -> None:
    code = "from pathlib import Path\nPath('t.csv').write_text('a\\n1\\n1\\n')"
    run(written(f"```python\n{code}\n```\n\n```console\n$ incrowd diagnose t.csv --k 2\n```\n"))


def test_an_unclosed_block_is_noticed() -> None:
    with pytest.raises(ValueError, match="not closed"):
        run(written("```python\nx = 1\n"))


def test_a_block_may_be_indented_and_hold_backticks() -> None:
    page = written("- item\n\n    ````python\n    y = '''\n    ```\n    '''\n    assert y == '\\n```\\n'\n    ````\n")
    run(page)
    assert [block.line for block in blocks_of(page)] == [4]


def test_commands_and_their_output_are_told_apart() -> None:
    page = written("```console\n$ incrowd a \\\n    --b c\nfirst\n\nsecond  \n$ incrowd d\n```\n")
    (block,) = blocks_of(page)
    assert commands_of(block) == [
        Command("incrowd a --b c", ("first", "", "second")),
        Command("incrowd d", ()),
    ]


@pytest.mark.parametrize("language", ["console", "console-wrapped"])
def test_a_failing_command_is_noticed(language: str) -> None:
    with pytest.raises(AssertionError, match="exit code"):
        run(written(f"```{language}\n$ incrowd no-such-command\n```\n"))


def test_output_without_a_command_is_noticed() -> None:
    with pytest.raises(ValueError, match="begins with a command"):
        run(written("```console\nincrowd --help\n```\n"))


@pytest.mark.parametrize("line", ["4 runs took 0.2 seconds, the longest 0.1.", "1 minute", "12 ms", "12ms", "in 0.5 s"])
def test_a_duration_is_refused_where_it_is_shown(line: str) -> None:
    with pytest.raises(AssertionError, match="tells a duration"):
        run(written(f"```python\nprint({line!r})\n```\n\n```output\n{line}\n```\n"))
    with pytest.raises(AssertionError, match="tells a duration"):
        run(written(f"```console\n$ incrowd --help\n{line}\n```\n"))


def test_decades_are_no_durations() -> None:
    run(written("```python\nprint('1920s, 30 sets')\n```\n\n```output\n1920s, 30 sets\n```\n"))


def test_other_commands_are_refused() -> None:
    with pytest.raises(AssertionError, match="only incrowd"):
        run(written("```console\n$ ls\n```\n"))


def test_wrong_output_is_noticed() -> None:
    with pytest.raises(AssertionError, match="real:"):
        run(written("```console\n$ incrowd --help\nsomething else\n```\n"))


@pytest.mark.parametrize(
    ("shown", "real", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["a", "b", "c"], False),
        (["a", "..."], ["a", "b", "c"], True),
        (["a", "...", "c"], ["a", "c"], True),
        (["a", "...", "c"], ["a", "b", "d"], False),
        (["...", "b", "..."], ["a", "b", "c"], True),
        (["a.c"], ["abc"], False),
    ],
)
def test_three_dots_stand_for_any_lines(shown: list[str], real: list[str], same: bool) -> None:
    assert matches(shown, real) is same
