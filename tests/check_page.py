#!/usr/bin/env python3
"""check_page.py FILE.html OUT_DIR [brief FILE.html...] -- opens pages of `meshway layout export
--html` in headless Chromium and checks what a reader would see: nothing is fetched, nothing is thrown, mesh and
player are on one screen, a tap on a narrow one shows the core's card beside the core, films play
to their end, a moved slider changes the mesh, frames are averages, a cycle is there and red when
the data say so, and no width makes the page scroll sideways. Leaves screenshots (light, dark,
narrow) in OUT_DIR. Brief: first screens, letters, hops, and that films of a deadlock play.

Standard library only: Chromium is driven through --remote-debugging-pipe, JSON messages that
end with a zero byte on its descriptors 3 and 4. Exit: 0 good, 1 not, 77 no Chromium.
"""

import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 900  # seconds for any one answer, and for any change awaited: a hang, not a speed


class Browser:
    """One Chromium with one page; events are kept in the order they came."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()
        # The child wants them as 3 and 4; first away from there, or one overwrites the other.
        ends = [os.dup2(end, 20 + i) for i, end in enumerate((to_read, from_write))]

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu",
             "--no-first-run", "--disable-extensions", "--disable-background-networking",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
             f"--user-data-dir={profile}", *sandbox, "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_read, from_write, *ends):
            os.close(end)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def take(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.source], [], [], max(0, end - time.monotonic()))
            more = os.read(self.source, 1 << 20) if ready else b""
            if not more:
                raise AssertionError("the browser does not answer")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.take()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def ask(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        assert "exceptionDetails" not in answer, f"{expression}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def open(self, url):
        self.call("Page.navigate", url=url)
        end = time.monotonic() + PATIENCE
        while self.ask("document.documentElement?.dataset.ready || ''") != "yes":
            assert time.monotonic() < end, f"the page's script did not end: {self.troubles()}"
            time.sleep(0.05)

    def troubles(self):
        """What the page threw or logged as an error."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", params))
            if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                found.append(params["args"])
            if method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(params["entry"]["text"])
        return found

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e.get("method") == "Network.requestWillBeSent"]

    def look(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png",
                                          captureBeyondViewport=path is not None)["data"])
        if path is not None:
            path.write_bytes(data)
        return data

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)


def data_of(path):
    text = path.read_text(encoding="ascii")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                                text, re.S)[1])


STATES = ("idle", "busy", "blocked", "dma", "ended")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"


def shares(film, frame, core):
    """Shares of the states in a core's time, read from the data without the page's script."""
    four = [DIGITS.index(d) / 63 for d in film["share"][frame][4 * core:4 * core + 4]]
    return [max(0, 1 - sum(four)), *four]


def decoded(film, frame, core):
    share = shares(film, frame, core)
    return STATES[share.index(max(share))]


def film_of(data, kind):
    return next((f for f in data["films"] if f["kind"] == kind), None)


def choose(browser, kind):
    """Clicks the film, if there is a choice."""
    browser.ask(f"""(() => {{ const i = document.querySelector('#films input[value="{kind}"]');
        if (i) i.click(); }})()""")


def until(browser, expression, what):
    end = time.monotonic() + PATIENCE
    while not browser.ask(expression):
        assert time.monotonic() < end, what
        time.sleep(0.1)


def to_frame(browser, frame):
    browser.ask(f"""(() => {{ const t = document.getElementById("time"); t.value = {frame};
        t.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()""")


def states(browser):
    return browser.ask("""Array.from(document.querySelectorAll("#mesh .core"),
                          c => c.dataset.state)""")


def is_red(colour):
    r, g, b = map(int, re.findall(r"\d+", colour)[:3])
    return r > 160 and g < 110 and b < 130


def check_cycle(browser, cores, data):
    """Each wait of the cycle is one path, and it is red."""
    names = [f"{v // data['cols']},{v % data['cols']}" for v in cores]
    pairs = [[a, b] for a, b in zip(names, names[1:] + names[:1])]
    drawn = browser.ask("""Array.from(document.querySelectorAll("#mesh path.cycle"),
        p => [p.dataset.from, p.dataset.to, getComputedStyle(p).stroke])""")
    assert sorted(d[:2] for d in drawn) == sorted(pairs), f"cycle {drawn}, expected {pairs}"
    assert all(is_red(d[2]) for d in drawn), f"not red: {drawn}"


def check_frames(browser, film, cores):
    last = len(film["share"]) - 1
    seen = []
    for frame in sorted({0, last // 3, last}):
        to_frame(browser, frame)
        expected = [decoded(film, frame, v) for v in range(cores)]
        assert states(browser) == expected, f"frame {frame} shows other states"
        check_bands(browser, film, frame, cores)
        seen.append((tuple(film["share"][frame]), film["fill"][frame], browser.picture()))
    for one, other in zip(seen, seen[1:]):
        if one[:2] != other[:2]:
            assert one[2] != other[2], "the slider moved, the picture did not"


def check_bands(browser, film, frame, cores):
    """A core is filled as far as it was not idle."""
    high = browser.ask("""Array.from(document.querySelectorAll("#mesh .core"), c =>
        Array.from(c.querySelectorAll(".bands rect"), r => Number(r.getAttribute("height"))
        ).reduce((a, b) => a + b, 0) / c.querySelector(".box").getAttribute("height"))""")
    for v in range(cores):
        filled = 1 - shares(film, frame, v)[0]
        assert abs(high[v] - filled) < 0.02, f"core {v}: filled {high[v]}, not idle {filled}"


def check_mean(data):
    """The frames add up to the run, as far as 64 levels can say."""
    film, sim = film_of(data, "run"), data["sim"]
    spans = [b - a for a, b in zip(film["moments"], film["moments"][1:])]
    if sim["observed"] != sim["cycles"]:
        return
    for v, core in enumerate(sim["core"]):
        for k in range(5):
            mean = sum(n * shares(film, i, v)[k] for i, n in enumerate(spans)) / sim["cycles"]
            assert abs(mean - core[k] / sim["cycles"]) < 0.025, \
                f"core {v}: {STATES[k]} {mean} in the film, {core[k] / sim['cycles']} in the run"


def check_end(browser, film, data):
    """Of a deadlock: its cycle is drawn, closed and red, and its cores are blocked."""
    to_frame(browser, len(film["share"]) - 1)
    check_cycle(browser, film["cycle"], data)
    assert browser.ask('document.querySelectorAll("#mesh path.cycle.could").length') == 0
    assert "Deadlock" in browser.ask('document.getElementById("alarm").textContent')
    now = states(browser)
    assert all(now[v] == "blocked" for v in film["cycle"])


def check_play(browser, film, data):
    """From the first frame to the last, by the page's own clock."""
    choose(browser, film["kind"])
    browser.ask("""(() => { const s = document.getElementById("speed"); s.value = "50";
        s.dispatchEvent(new Event("change", { bubbles: true })); })()""")
    to_frame(browser, 0)
    assert browser.ask('document.querySelectorAll("#mesh path.cycle:not(.could)").length') == 0
    said = browser.ask('document.getElementById("says").textContent')
    browser.ask('document.getElementById("play").click()')
    last = len(film["share"]) - 1
    for some in (last // 2, last):
        until(browser, f'document.getElementById("time").value >= {some}', "it does not play on")
    until(browser, 'document.getElementById("play").textContent == "Play"', "it does not stop")
    check_end(browser, film, data)
    if film["kind"] == "trace":
        told = browser.ask('document.getElementById("says").textContent')
        assert [said, told] == [film["says"][0], film["says"][-1]], f"told: {said}, {told}"


def check_films(browser, data):
    for film in data["films"]:
        choose(browser, film["kind"])
        check_frames(browser, film, data["rows"] * data["cols"])
        if film["cycle"]:
            check_end(browser, film, data)
        check_keys(browser, len(film["share"]) - 1)
    sim = data["sim"]
    if sim and sim["global"]:
        choose(browser, "run")
        to_frame(browser, len(film_of(data, "run")["share"]) - 1)
        assert not {"busy", "dma"} & set(states(browser)), "a global deadlock, and cores at work"


def check_keys(browser, last):
    """The arrow keys step, and leave the step to a core when one has the focus."""
    if last < 1:
        return
    to_frame(browser, 0)
    browser.ask("document.activeElement.blur()")
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight",
                     windowsVirtualKeyCode=39)
    assert browser.ask('document.getElementById("time").value') == "1", "right arrow"


def check_panel(browser):
    browser.ask("""document.querySelector('#mesh .core[data-core="0,0"]')
                   .dispatchEvent(new MouseEvent("click", { bubbles: true }))""")
    assert browser.ask('document.querySelector("#core b").textContent') == "0,0"
    assert browser.ask('document.activeElement.dataset.core') == "0,0"


# Where they are, and whether the middle of each is seen: what lies under something is not. Only the
# button to the deadlock may be hidden: of a film without one.
BOXES = """Object.fromEntries(["verdicts", "mesh", "player", "play", "time", "strip",
    "closed"].filter(id => id !== "closed" || !document.getElementById(id).hidden).map(id => {
    const own = document.getElementById(id), b = own.getBoundingClientRect();
    const seen = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
    return [id, [b.left, b.top, b.right, b.bottom, own.contains(seen)]]; }))"""


def check_one_screen(browser, data, width, height):
    """Verdicts, mesh and player on one screen, none over the other, without scrolling."""
    browser.look(width, height, "light")
    browser.ask("scrollTo(0, 0)")
    boxes = browser.ask(BOXES)
    if not data["films"]:
        return
    for name, (left, top, right, bottom, seen) in boxes.items():
        assert 0 <= left < right <= width and 0 <= top < bottom <= height, \
            f"{name} is at {left}, {top} .. {right}, {bottom} of {width} x {height}"
        assert seen, f"{name} is covered at {width} x {height}"
    mesh, player = boxes["mesh"], boxes["player"]
    assert mesh[2] <= player[0] or mesh[3] <= player[1], f"{mesh} is over {player}"
    least = 300 if data["rows"] == data["cols"] else 30
    assert min(mesh[2] - mesh[0], mesh[3] - mesh[1]) > least, f"a mesh of {mesh}"


def check_letters(browser, data):
    """Each role letter is explained, in every view."""
    for view in browser.ask("""Array.from(document.querySelectorAll("#views input"),
                               i => i.value)"""):
        browser.ask(f"""document.querySelector('#views input[value="{view}"]').click()""")
        told = browser.ask("""Array.from(document.querySelectorAll("#legend li"),
                              li => li.textContent.trim())""")
        for letter in sorted(set(data["roles"]) - {"."}):
            starts = any(s for s, r in zip(data["starts"], data["roles"]) if r == letter)
            line = [t for t in told if t.startswith(letter + " ")]
            assert len(line) == 1, f"view {view}: {letter} in {told}"
            assert starts == ("makes messages" in line[0]), f"view {view}: {line}"
    browser.ask("""document.querySelector("#views input")?.click()""")


def check_hops(browser, data):
    """All hops: a path each, or, of many, at most four a core, and the legend says which."""
    if not data["hops"]:
        return
    box = 'document.getElementById("hops-on")'
    if not browser.ask(box + ".checked"):
        browser.ask(box + ".click()")
    drawn = browser.ask("""document.querySelectorAll("#hops path").length""")
    told = browser.ask("""document.getElementById("legend").textContent""")
    cores = data["rows"] * data["cols"]
    if data["n_hops"] > 4 * cores:
        assert 0 < drawn <= 4 * cores, f"{drawn} bundles of {cores} cores"
        assert "between two neighbours" in told, told
    else:
        assert drawn == data["n_hops"], f"{drawn} paths, {data['n_hops']} hops"
    browser.ask(box + ".click()")
    assert browser.ask("""document.querySelectorAll("#hops path").length""") == 0


def place_of(browser, selector):
    return browser.ask(f"""(() => {{ const b =
        document.querySelector('{selector}').getBoundingClientRect();
        return [b.left + b.width / 2, b.top + b.height / 2]; }})()""")


def tap(browser, selector):
    x, y = place_of(browser, selector)
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def at(browser, place, selector):
    """Whether what is seen there is (in) that element."""
    x, y = place
    return browser.ask(f"""Boolean(document.elementFromPoint({x}, {y})
                           ?.closest('{selector}'))""")


def check_tap(browser, data):
    """400 pixels wide: a tap on a core shows its card, and leaves the core in sight."""
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.look(400, 800, "light")
    for core in ("0,0", f"{data['rows'] - 1},{data['cols'] - 1}"):
        box = f'#mesh .core[data-core="{core}"]'
        browser.ask(f"document.querySelector('{box}').scrollIntoView({{ block: 'end' }})")
        tap(browser, box)
        until(browser, f"document.querySelector('#core b').textContent === '{core}'",
              f"the tap on {core} is not heard")
        until(browser, """(() => { const b = document.querySelector("#core b")
            .getBoundingClientRect(); const e = document.elementFromPoint(b.left + b.width / 2,
            b.top + b.height / 2); return Boolean(e && e.closest("#core")); })()""",
              f"the card of {core} is not in sight")
        assert at(browser, place_of(browser, box), box), f"core {core} is not in sight"
        browser.ask("document.getElementById('close').click()")
        until(browser,
              "getComputedStyle(document.getElementById('core')).visibility === 'hidden'",
              "the card stays")
    browser.call("Emulation.setTouchEmulationEnabled", enabled=False)


def check_widths(browser, out):
    for width, height, scheme in ((1280, 800, "light"), (1280, 800, "dark"),
                                  (400, 800, "light"), (400, 800, "dark")):
        browser.look(width, height, scheme)
        wide = browser.ask("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} pixels wide in a window of {width}"
        browser.picture(out / f"page-{width}-{scheme}.png")


def check(browser, path, out, brief):
    data = data_of(path)
    browser.look(1280, 900, "light")
    browser.open(path.resolve().as_uri())
    assert browser.ask("document.title") == (data["title"] or "mesh layout")
    assert "/" not in data["title"], f"the title is a path: {data['title']}"
    assert browser.ask('document.querySelectorAll("#mesh .core").length') == \
        data["rows"] * data["cols"]
    check_one_screen(browser, data, 1280, 800)
    check_one_screen(browser, data, 400, 800)
    check_letters(browser, data)
    check_hops(browser, data)
    if brief:
        trace = film_of(data, "trace")
        assert trace and trace["cycle"], "no trace into the deadlock"
        for film in data["films"]:
            if film["cycle"]:
                check_play(browser, film, data)
        assert not browser.troubles(), browser.troubles()
        return
    check_widths(browser, out)
    if film_of(data, "run"):
        check_mean(data)
    for scheme in ("light", "dark"):
        browser.look(1280, 900, scheme)
        check_films(browser, data)
    for film in data["films"]:
        if film["cycle"]:
            check_play(browser, film, data)
    check_tap(browser, data)
    browser.look(1280, 900, "light")
    check_panel(browser)
    strange = [u for u in browser.requests() if not u.startswith(("file:", "data:", "about:"))]
    assert not strange, f"the page asked for {strange}"
    assert not browser.troubles(), browser.troubles()


def main():
    paths, out = [Path(p) for p in sys.argv[1:2] + sys.argv[4:]], Path(sys.argv[2])
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        print("no chromium: skipped")
        return 77
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for path in paths:
            try:
                check(browser, path, out, len(sys.argv) > 3)
            except AssertionError as error:
                print(f"{path.name}: {error}")
                browser.close()
                return 1
            print(f"{path.name}: good")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
