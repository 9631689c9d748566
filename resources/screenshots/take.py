# SPDX-License-Identifier: MIT
"""take.py PROGRAMS [NAME…]: what `make` runs on a display of its own.  Each picture is the real window at 1280×760
and of runs that have stopped; the film is the window in use."""
import os
import subprocess
import sys
import tempfile
import time

from PIL import Image, ImageDraw, ImageGrab

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "e2e"))
from outside import (APP_ID, Atspi, GLib, Gio, bus, find, has_place, launch, perform, quit_program,  # noqa: E402
                     wait_for, wait_for_window, walk, window_actions)

PROGRAMS = sys.argv[1]
CONFIG = os.environ["XDG_CONFIG_HOME"]
SETTINGS = os.path.join(CONFIG, "glib-2.0", "settings", "keyfile")
WIDTH, HEIGHT, BORDER = 1280, 760, 4   # without the border that a window has where there is no window manager
EDGE = 5                               # where the accessibility bus begins to count
FILM_WIDTH, FRAMES_A_SECOND = 960, 5
RETRIES = 3
BOTH = ("light", "dark")


# ---- the window ----

def choose_scheme(scheme):
    """A window that is open follows."""
    with open(SETTINGS, "w", encoding="utf-8") as file:
        file.write(f"[org/sluice/Sluice]\ncolour-scheme='{scheme}'\nglance-seen=true\nresume=false\n"
                   f"window-width={WIDTH + 2 * BORDER}\nwindow-height={HEIGHT + 2 * BORDER}\n")


def grab():
    return ImageGrab.grab(bbox=(BORDER, BORDER, BORDER + WIDTH, BORDER + HEIGHT), xdisplay=os.environ["DISPLAY"])


def grab_at_rest():
    """The window when nothing in it has moved for more than a second."""
    last = []

    def rests():
        last.append(grab().convert("RGB"))
        time.sleep(0.3)
        return len(last) > 5 and all(image.tobytes() == last[-1].tobytes() for image in last[-5:])

    wait_for("the window to rest", rests)
    return last[-1]


def point(x, y):
    subprocess.run(["xdotool", "mousemove", str(int(x)), str(int(y))], check=True)


class Window:
    """The program with a window, and the pointer where it touches nothing."""

    def __init__(self, *words):
        choose_scheme("light")
        point(WIDTH // 2, 10)
        self.program = launch(os.path.join(PROGRAMS, "sluice"), *words,
                              XDG_DATA_HOME=tempfile.mkdtemp(dir=os.environ["XDG_DATA_HOME"]))  # no runs of before
        self.frame = wait_for_window()[1]
        self.actions = window_actions()
        shown = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.program.pid)],
                               capture_output=True, text=True, check=True).stdout.split()
        subprocess.run(["xdotool", "windowfocus", shown[-1]], check=True)

    def status(self):
        bar = find(self.frame, Atspi.Role.STATUS_BAR, "Status")
        return [bar.get_child_at_index(i).get_name() for i in range(bar.get_child_count())] if bar else []

    def updates(self):
        for words in self.status():
            if words.endswith(" updates"):
                return int("".join(filter(str.isdigit, words)))
        return 0

    def do(self, name, signature=None, value=None):
        perform(self.actions, name, signature and GLib.Variant(signature, value))

    def run_to(self, update):
        self.do("limit", "t", update)
        self.do("run")
        wait_for(f"update {update}", lambda: "finished" in self.status(), self.status)

    def place(self, role, name):
        """Where something is on the screen: x, y, width, height."""
        node = wait_for(name, lambda: find(self.frame, role, name))
        at = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return at.x + EDGE, at.y + EDGE, at.width, at.height

    def is_timed(self):
        """Whether all that is shown could be timed; a busy machine says so."""
        shown = [node for node in walk(self.frame) if node.get_role() in (Atspi.Role.IMAGE, Atspi.Role.LABEL)
                 and has_place(node)]
        figures = [node.get_description() for node in shown if node.get_name() == "Figures of the run"]
        return not (any("busy" in said or "…" in said for said in figures)
                    or any("timing…" in node.get_name() for node in shown))

    def close(self):
        quit_program(self.program)
        wait_for("the name to be free", lambda: not bus.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", (APP_ID,)), None, Gio.DBusCallFlags.NONE, -1, None)[0])


# ---- the pictures ----

def save(image, name):
    """With a palette, which such pictures lose nothing by."""
    image = image.quantize(256, method=Image.Quantize.LIBIMAGEQUANT, dither=Image.Dither.NONE)
    image.save(os.path.join(HERE, name + ".png"), optimize=True)


def show_scheme(scheme):
    choose_scheme(scheme)
    wait_for(f"a {scheme} window", lambda: (grab().convert("L").getpixel((WIDTH - 8, HEIGHT - 8)) < 128)
             == (scheme == "dark"))


def take(name, prepare, *words, schemes=("light",)):
    """A picture in each scheme, once the clock could measure; the dark one has that in its name."""
    for _ in range(RETRIES):
        window = Window(*words)
        prepare(window)
        taken = {}
        for scheme in schemes:
            show_scheme(scheme)
            taken[name if scheme == "light" else f"{name}-{scheme}"] = grab_at_rest()
        timed = window.is_timed()
        window.close()
        if timed:
            break
    for full_name, image in taken.items():
        save(image, full_name)


def start_page(window):
    wait_for("2500 updates", lambda: window.updates() >= 2500)
    window.do("pause")


def lab(update, *more):
    def prepare(window):
        window.run_to(update)
        for action in more:
            window.do(*action)
    return prepare


def take_start():
    take("start", start_page, schemes=BOTH)


def take_lab(name, update, *words, more=()):
    take(name, lab(update, *more), "--seed", "1", "--threads", "1", "--paused", "--lab", *words)


def take_trade_off():
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "experts.sluice")
        subprocess.run([os.path.join(PROGRAMS, "sluice-cli"), "sweep", "experts", "--axis", "k=1,2,4,8", "--axis",
                        "gate=noisy,bias,expert-choice", "--set", "twin=wide", "--seeds", "1-3", "--steps", "500",
                        "--store", store, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        take("trade-off", lambda window: wait_for("its runs", lambda: find(window.frame, Atspi.Role.LABEL, "36 runs")),
             store, schemes=BOTH)


# ---- the film ----

class Film:
    """Frames at equal times, with a pointer, which no grabbed image has."""
    ARROW = ((0, 0), (0, 22), (5, 17), (9, 26), (13, 24), (9, 16), (16, 16))

    def __init__(self):
        self.frames, self.at, self.next = [], (WIDTH // 2, 60), time.monotonic()
        point(*self.at)

    def frame(self):
        time.sleep(max(0.0, self.next - time.monotonic()))
        self.next = max(self.next + 1.0 / FRAMES_A_SECOND, time.monotonic())
        image = grab().convert("RGB")
        ImageDraw.Draw(image).polygon([(self.at[0] - BORDER + x, self.at[1] - BORDER + y) for x, y in self.ARROW],
                                      fill="black", outline="white")
        self.frames.append(image.resize((FILM_WIDTH, FILM_WIDTH * HEIGHT // WIDTH), Image.Resampling.LANCZOS))

    def rest(self, seconds):
        for _ in range(round(seconds * FRAMES_A_SECOND)):
            self.frame()

    def move(self, x, y, seconds):
        """In a straight line, in steps that a slider and a pencil follow."""
        (x0, y0), frames, steps = self.at, max(1, round(seconds * FRAMES_A_SECOND)), 4
        for i in range(1, frames * steps + 1):
            part = i / (frames * steps)
            self.at = (x0 + (x - x0) * part, y0 + (y - y0) * part)
            point(*self.at)
            time.sleep(0.01)
            if i % steps == 0:
                self.frame()

    @staticmethod
    def press():
        subprocess.run(["xdotool", "mousedown", "1"], check=True)

    @staticmethod
    def release():
        subprocess.run(["xdotool", "mouseup", "1"], check=True)

    def click(self, place, seconds):
        x, y, width, height = place
        self.move(x + width / 2, y + height / 2, seconds)
        self.press()
        self.release()

    def stroke(self, points, seconds):
        self.move(*points[0], 0.8)
        self.press()
        for at in points[1:]:
            self.move(*at, seconds / (len(points) - 1))
        self.release()

    def save(self, name):
        self.frames[0].save(os.path.join(HERE, name + ".webp"), save_all=True, append_images=self.frames[1:], loop=0,
                            duration=1000 // FRAMES_A_SECOND, quality=70, method=4, kmin=20, kmax=60)


def draw_bag(film, square):
    x, y, width, height = square
    film.stroke([(x + width * a, y + height * b)
                 for a, b in ((0.2, 0.4), (0.8, 0.4), (0.8, 0.85), (0.2, 0.85), (0.2, 0.4))], 3.0)


def drag(film, window, name, to, seconds):
    """The handle of a slider, to a part of its way."""
    x, y, width, height = window.place(Atspi.Role.SLIDER, name)
    slider = find(window.frame, Atspi.Role.SLIDER, name)
    least, most = Atspi.Value.get_minimum_value(slider), Atspi.Value.get_maximum_value(slider)
    part = (Atspi.Value.get_current_value(slider) - least) / (most - least)
    film.move(x + part * width, y + height / 2, 0.6)
    film.press()
    film.move(x + to * width, y + height / 2, seconds)
    film.release()


def play(film, window):
    """The start page at work, a share of gates that is moved, a drawing, and the lab behind a card; whether all could be
    timed."""
    film.rest(0.6)
    film.click(window.place(Atspi.Role.PUSH_BUTTON, "Run"), 0.8)
    film.rest(3.6)
    drag(film, window, "Share of gates on", 0.2, 1.4)
    film.rest(1.8)
    draw_bag(film, window.place(Atspi.Role.IMAGE, "Input"))
    film.rest(1.6)
    timed = window.is_timed()
    film.move(WIDTH / 2, 78, 0.4)
    film.click(window.place(Atspi.Role.PUSH_BUTTON, "Open Experts"), 0.6)
    film.rest(1.4)
    drag(film, window, "Experts per example k", 0.3, 1.6)
    film.rest(2.4)
    return window.is_timed() and timed


def take_film():
    for _ in range(RETRIES):
        window = Window()
        window.do("pause")
        window.do("rewind")
        wait_for("a fresh start", lambda: "0 updates" in window.status())
        grab_at_rest()
        film = Film()
        timed = play(film, window)
        window.close()
        if timed:
            break
    film.save("film")


TAKES = {
    "start": take_start,
    "sign-estimator": lambda: take_lab("sign-estimator", 1000, "sign-estimator"),
    "gating-map": lambda: take_lab("gating-map", 2000, "experts", "--data", "spirals", more=[("maximise", "s", "map")]),
    "selective-execution": lambda: take_lab("selective-execution", 1000, "selective-execution"),
    "trade-off": take_trade_off,
    "film": take_film,
}


def main():
    with open(os.path.join(CONFIG, "gtk-4.0", "settings.ini"), "a", encoding="utf-8") as file:
        file.write("gtk-font-name=Cantarell 11\n")
    os.makedirs(os.path.dirname(SETTINGS))
    for name in sys.argv[2:] or TAKES:
        TAKES[name]()
        print(name, flush=True)


if __name__ == "__main__":
    main()
