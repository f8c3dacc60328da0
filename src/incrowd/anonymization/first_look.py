"""The first look at a release in a notebook: did it work, what did it cost, what now."""

from collections.abc import Mapping

from incrowd.text import percent, printable

_NAMED = 3
"""Columns that the cost names."""


def worked(verdict: str, found: str) -> str:
    """Return the verdict, then what was found."""
    return f"{verdict[:1].upper()}{verdict[1:]}: {found}"


def cost(losses: Mapping[str, float], loss: float | None) -> str:
    """Return the information loss, and the columns that bear most of it; nothing if it was not measured."""
    if loss is None:
        return ""
    most = [f"{printable(name)} ({percent(of)})" for name, of in columns_by_loss(losses)[:_NAMED] if of]
    return f"Information loss: {percent(loss)}" + (f"; highest in {', '.join(most)}." if most else ".")


def columns_by_loss(losses: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the quasi-identifiers with their information loss, the costliest first."""
    return sorted(losses.items(), key=lambda each: -each[1])


def steps_from_here(output: str | None, frame: str) -> list[str]:
    """Return what can be done with a release, where `made` is what a run returned."""
    where = f"made.{frame} has the release" if output is None else f"the release is in {printable(output)}"
    steps = {
        **({"made.plot()": "shows what each column costs"} if frame == "frame" else {}),
        "incrowd.report(made).write('report.html')": "explains the release, its guarantees and their limits",
        "print(made)": "shows all details",
    }
    width = max(map(len, steps))
    return ["\n".join([f"Next: {where}.", *(f"  {step:{width}}  {does}" for step, does in steps.items())])]
