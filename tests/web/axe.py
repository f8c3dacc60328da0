"""The checks of axe, run in the page that a browser shows."""

from importlib.resources import files

from web.driving import Browser

_AXE = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
# A report has a frame of its own, which a script of the page cannot reach.
# Of what is right one element is enough.
_RUN = "axe.run({iframes: false, resultTypes: ['violations']}).then(arguments[0])"


def violations(browser: Browser) -> dict[str, list[str]]:
    """Return the rules of axe that the page violates, with the elements."""
    browser.driver.execute_script(_AXE)
    found = browser.driver.execute_async_script(_RUN)
    assert found["passes"]
    return {rule["id"]: [node["html"] for node in rule["nodes"]] for rule in found["violations"]}
