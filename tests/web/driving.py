"""A server process and a browser that looks at it."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from incrowd.client import Client

EXAMPLE = Path(__file__).parents[2] / "examples" / "hospital.csv"
VERIFIED = "Written and re-read: verified."
"""What the page of a release says about it."""
PATIENCE = 300.0
"""Seconds after which something will not come true any more, however busy the machine is."""
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en-US"),
)
_SHOWN = """
const [mark, answer] = arguments, end = performance.now() + 5000;
const isShown = (each) => {
  const {width, height} = each.getBoundingClientRect();
  return width && height && each.checkVisibility({opacityProperty: true, visibilityProperty: true});
};
const look = () => {
  const marked = document.querySelector("#content[inert]") ? [] : document.querySelectorAll(`[data-mark="${mark}"]`);
  const found = [...marked].filter(isShown);
  if (found.length || performance.now() > end) answer(found); else setTimeout(look, 20);
};
look();
"""
"""Waits within the page: to ask it again and again from outside costs more than what is waited for."""
_CHOSEN = """
const [field, words, answer] = arguments, end = performance.now() + 5000;
if (field.matches("select")) {
  const entry = [...field.options].find((each) => each.text.startsWith(words.replace(/:$/, "")));
  if (entry) { field.value = entry.value; field.dispatchEvent(new Event("change", {bubbles: true})); }
  return answer(Boolean(entry));
}
const look = () => {
  const entries = [...document.querySelectorAll(".q-menu [role=option]")];
  const entry = entries.find((each) => each.innerText.trim().startsWith(words));
  if (entry) { entry.click(); answer(true); }
  else if (performance.now() > end) answer(false);
  else setTimeout(look, 20);
};
if (!document.querySelector(".q-menu")) (field.closest(".q-field") ?? field).querySelector(".q-field__control").click();
look();
"""
"""Opens a list, finds an entry and chooses it in one step: a list that moves or is drawn anew has another entry at the
place on the screen where the mouse is."""
_CHOSEN_SEVERAL = """
const [words, wanted, answer] = arguments, end = performance.now() + 5000;
const entry = () => [...document.querySelectorAll(".q-menu [role=option]")].find((each) => each.innerText === words);
const isChosen = () => entry()?.getAttribute("aria-selected") === String(wanted);
if (!isChosen()) entry()?.click();
const look = () => {
  if (isChosen() || performance.now() > end) answer(isChosen()); else setTimeout(look, 20);
};
look();
"""
"""The page shows a choice once the server knows of it; the next one is added to what it shows."""
_TYPED = """
const [field, words] = arguments;
field.focus();
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, words);
for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, {bubbles: true}));
field.blur();
"""
"""Writes in one step: a list that was chosen from before may take the focus back, and the next keys with it."""
_MENU_OPENED = """
const menu = document.querySelector(`details.tools:has([data-mark="${arguments[0]}"])`);
if (menu && !menu.querySelector(`summary[data-mark="${arguments[0]}"]`)) menu.open = true;
"""
_READ = (
    "const read = (each) => (each.matches('select') ? each.selectedOptions[0].text : each.innerText)"
    ".replace(/[\\u00a0\\t]+/g, ' ').trim();"
)
"""What a reader sees of an element, cells with a space between; the driver's own way asks about every element in it."""
_SAID = f"""
{_READ}
const [words, answer] = arguments, end = performance.now() + 5000;
const look = () => {{
  const said = read(document.body).includes(words);
  if (said || performance.now() > end) answer(said); else setTimeout(look, 20);
}};
look();
"""
_WITHOUT_MOTION = """
const style = new CSSStyleSheet();
style.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; }");
document.adoptedStyleSheets = [style];
"""


class Server:
    """The web app on a free port, with a workspace in a folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "-m", "incrowd", "serve", "--port", str(self.port), "--workspace", str(self.folder)]
        command += self.options
        log = self.folder.parent / f"server-{self.port}.log"
        with log.open("ab") as written:
            self.process = subprocess.Popen(command, stdout=written, stderr=subprocess.STDOUT)
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/v1/health", timeout=PATIENCE):
                return True
        except (urllib.error.URLError, OSError):
            return False

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Browser:
    """Chromium; elements are found by the names that pages give them."""

    def __init__(self, server: Server, width: int = 1280, height: int = 1000) -> None:
        self.server = server
        self.profile = tempfile.mkdtemp(prefix="incrowd-chromium-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or "chromium"
        for flag in (*_FLAGS, f"--window-size={width},{height}", f"--user-data-dir={self.profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(PATIENCE)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _WITHOUT_MOTION})

    def close(self) -> None:
        """End it, and forget what it kept."""
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def leave(self) -> None:
        """Cut the page off from the server; another page may come without a process of its own."""
        self.driver.execute_script("window.socket?.disconnect()")

    def go(self, path: str) -> None:
        """Open a page."""
        self.driver.get(self.server.address + path)

    def all(self, mark: str) -> list[WebElement]:
        """All elements of that name."""
        return list(self.driver.find_elements(By.CSS_SELECTOR, f'[data-mark="{mark}"]'))

    def find(self, mark: str) -> WebElement:
        """The first element of that name, once it is shown and the page listens."""

        def shown() -> WebElement | None:
            # What lies in a panel that is still closed is cut off, which only the driver finds out.
            found = self.driver.execute_async_script(_SHOWN, mark)
            return next((each for each in found if each.is_displayed()), None)

        found: WebElement = self.until(shown, mark)
        return found

    def pick(self, mark: str, title: str) -> None:
        """Click on the part of a picture that has this title."""

        def part() -> WebElement | None:
            parts = self.find(mark).find_elements(By.CSS_SELECTOR, "[data-at]")
            titles = [each.find_element(By.TAG_NAME, "title").get_attribute("textContent") for each in parts]
            return parts[titles.index(title)] if title in titles else None

        self.until(part, title).find_element(By.CSS_SELECTOR, "circle, rect").click()

    def until(self, holds: Any, what: str = "") -> Any:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = holds()
            except (StaleElementReferenceException, WebDriverException):
                found = None
            if found:
                return found
            time.sleep(0.1)
        self.driver.save_screenshot("/tmp/incrowd-web-failure.png")
        raise AssertionError(f"waited in vain for {what} at {self.driver.current_url}: {self.body()[:2000]}")

    def text(self, mark: str) -> str:
        """The text of an element, once it has some."""
        return str(self.until(lambda: self._read(self.find(mark)), mark))

    def body(self) -> str:
        """All that is written on the page."""
        return self._read(self.driver.find_element(By.TAG_NAME, "body"))

    def _read(self, element: WebElement) -> str:
        return str(self.driver.execute_script(f"{_READ} return read(arguments[0])", element))

    def shows(self, words: str) -> None:
        """Wait until these words are on the page."""
        self.until(lambda: self.driver.execute_async_script(_SAID, words), repr(words))

    def click(self, mark: str) -> None:
        """Press a button or follow a link, once nothing lies above it; a menu that has it is opened."""

        def pressed() -> bool:
            self.driver.execute_script(_MENU_OPENED, mark)
            element = self.find(mark)
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self.until(pressed, mark)

    def tab(self, name: str) -> None:
        """Open a tab of the page of a release."""
        self.click(f"tab-{name}")
        self.find(f"panel-{name}")

    def type(self, mark: str, words: str) -> None:
        """Replace what a field holds."""
        field = self.find(mark)
        if field.tag_name not in ("input", "textarea"):
            field = field.find_element(By.CSS_SELECTOR, "input, textarea")
        self.driver.execute_script(_TYPED, field, words)
        self.arrived()

    def arrived(self) -> None:
        """Wait until the server has handled what the page has sent: it answers in the order of what it is sent.

        A page without a socket, such as the form to sign in, sends nothing before it is left.
        """
        self.driver.execute_async_script(
            "if (!window.socket) return arguments[0]();"
            "window.socket.emit('ack', {client_id: window.clientId, next_message_id: 0}, arguments[0])"
        )

    def choose(self, mark: str, option: str) -> None:
        """Choose an entry of a list that begins so."""
        self.until(lambda: self.driver.execute_async_script(_CHOSEN, self.find(mark), option), option)
        self._closed()

    def choose_several(self, mark: str, options: list[str], only: bool = False) -> None:
        """Choose entries of a list that takes several; with `only`, what was chosen before goes."""
        self.click(mark)
        self.until(self._entries, mark)
        for name, chosen in self._choices():
            if name in options or (only and chosen):
                wanted = name in options
                self.until(lambda n=name, w=wanted: self.driver.execute_async_script(_CHOSEN_SEVERAL, n, w), name)
        self.driver.find_element(By.CSS_SELECTOR, "body").send_keys(Keys.ESCAPE)
        self._closed()

    def _closed(self) -> None:
        """Wait until no list is open and the server knows what was chosen."""
        self.until(lambda: not self.driver.find_elements(By.CSS_SELECTOR, ".q-menu"), "the list to close")
        self.arrived()

    def _entries(self) -> list[WebElement]:
        """Those of the list that is open."""
        return list(self.driver.find_elements(By.CSS_SELECTOR, ".q-menu [role=option]"))

    def _choices(self) -> list[tuple[str, bool]]:
        """Their texts, and whether each is chosen."""
        return [(entry.text, entry.get_attribute("aria-selected") == "true") for entry in self._entries()]

    def toggle(self, mark: str, words: str) -> None:
        """Press one of several buttons that exclude each other."""

        def pressed() -> bool:
            buttons = self.find(mark).find_elements(By.TAG_NAME, "button")
            next(each for each in buttons if each.text == words).click()
            return True

        self.until(pressed, words)
        self.arrived()

    def drop(self, mark: str, path: Path) -> None:
        """Give a file to an upload, once it is not busy with another one."""

        def given() -> bool:
            self.find(mark).find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(path))
            return True

        self.until(given, mark)

    def open(self, path: Path) -> str:
        """Bring a table as a program does, and look at its columns; the id of the file."""
        with Client(self.server.address, timeout=PATIENCE) as client:
            file = client.upload(path).id
        self.go(f"/files/{file}/columns")
        self.find("summary")
        return file

    def open_by_hand(self, path: Path) -> str:
        """Drop a table on the first page, and wait for its columns; the id of the file."""
        self.go("/")
        self.drop("drop", path)
        self.find("summary")
        return str(self.driver.current_url.split("/")[-2])

    def requests(self) -> list[str]:
        """The addresses of everything that was loaded since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """What went wrong in the page since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
