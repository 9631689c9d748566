# SPDX-License-Identifier: MIT
"""What holds of every page that Sluice writes: check_common(page, sheets), and its parts."""

import base64
import os
import tempfile

# Roles of what a screen reader stops at, which say nothing without a name.
NAMED = {"button", "checkbox", "combobox", "figure", "graphics-document", "graphics-object", "image", "img", "link",
         "listbox", "menuitem", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "table",
         "textbox"}
SIZES = (dict(width=360, height=640), dict(width=360, height=640, mobile=True), dict(width=1000, height=760))


def complaints(page):
    """What a page did that none may do: errors and warnings, requests, what its policy had to stop, alerts."""
    said = [f"{level}: {text}" for level, text in page.console
            if level in ("assert", "error", "exception", "warning")]
    said += [f"request: {address}" for address in page.requests + page.reached]
    said += [f"violation of {directive}: {address}" for directive, address in page.violations]
    said += [f"alert: {text}" for text in page.dialogs]
    return said + [f"window: {address}" for address in page.browser.popups]


def unnamed(page):
    """Controls and images that a screen reader has no name for, and what takes the focus but is no control."""
    tree = page.tree()
    return ([node.role for node in tree if node.role in NAMED and not node.name.strip()]
            + [f"{node.role} with the focus" for node in tree if node.role in ("generic", "none")
               and node.states.get("focusable") and not node.states.get("editable")])


def overflows(page):
    """What is wider than the window, when one has to scroll the document sideways to see it."""
    return page.call("""look => {
        const root = document.documentElement, width = Math.min(look, root.clientWidth);   // beside its scroll bar
        if (root.scrollWidth <= width) return [];
        const inside = element => {
          for (let box = element.parentElement; box && box !== root && box !== document.body; box = box.parentElement)
            if (getComputedStyle(box).overflowX !== 'visible') return true;
          return false;
        };
        const wide = [...document.body.querySelectorAll('*')].filter(element =>
          element.getBoundingClientRect().right + scrollX > width + 0.5 && !inside(element));
        return wide.slice(0, 5).map(element => `${element.tagName} ${element.id || element.className.baseVal
          || element.className} to ${Math.round(element.getBoundingClientRect().right + scrollX)} px`)
          .concat([`document of ${root.scrollWidth} px in ${width}`]); }""",
        page.now["width"])


def pale(page, least=4.5):
    """Words of HTML with less contrast than this to what is behind them (3 for large type)."""
    return page.call("""least => {
        const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
        const colour = text => {
          pen.clearRect(0, 0, 1, 1);
          pen.fillStyle = text;
          pen.fillRect(0, 0, 1, 1);
          const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
          return [r, g, b, a / 255];
        };
        const over = (top, below) => below.map((value, i) => i < 3 ? value + (top[i] - value) * top[3] : 1);
        const light = c => {
          const [r, g, b] = c.map(v => v / 255 <= 0.04045 ? v / 255 / 12.92 : Math.pow((v / 255 + 0.055) / 1.055, 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'Canvas';
        const canvas = colour(getComputedStyle(probe).color);
        probe.remove();
        const behind = element => element ? over(colour(getComputedStyle(element).backgroundColor),
          behind(element.parentElement)) : canvas;
        const shown = element => element ? getComputedStyle(element).opacity * shown(element.parentElement) : 1;
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walk.nextNode()) {
          const words = walk.currentNode.data.trim(), element = walk.currentNode.parentElement;
          if (!words || element.namespaceURI !== document.documentElement.namespaceURI || element.disabled
              || !element.checkVisibility({checkVisibilityCSS: true})) continue;
          const style = getComputedStyle(element), back = behind(element), fore = colour(style.color);
          fore[3] *= shown(element);
          const a = light(over(fore, back)), b = light(back);
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          const size = parseFloat(style.fontSize);
          const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
          if (!(contrast >= (large ? Math.min(3, least) : least)))
            found.push(`${words.slice(0, 30)}: ${contrast.toFixed(1)}`);
        }
        return found; }""", least)


def brightness(page):
    """The mean of the window's pixels, from 0 to 1."""
    return page.call("""picture => createImageBitmap(new Blob([Uint8Array.from(atob(picture), c => c.charCodeAt(0))]))
      .then(bitmap => {
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        pen.drawImage(bitmap, 0, 0);
        const values = pen.getImageData(0, 0, bitmap.width, bitmap.height).data.filter((_, i) => i % 4 < 3);
        return values.reduce((sum, value) => sum + value, 0) / values.length / 255; })""",
                     base64.b64encode(page.picture(shrink=8)).decode())


def check_common(page, sheets):
    """Nothing to complain about, everything named, no scrolling sideways at any size, legible in light and in dark,
    and printed on so many sheets at most."""
    before = page.now
    for size in SIZES:
        page.look(**size)
        page.settle()
        assert not (wide := overflows(page)), (size, wide)
    assert not (dumb := unnamed(page)), dumb
    for dark in (False, True):
        page.look(dark=dark)
        page.settle()
        bright = brightness(page)
        assert bright < 0.35 if dark else bright > 0.65, (dark, bright)
        assert not (words := pale(page)), (dark, words)
    page.look(**before)
    with tempfile.TemporaryDirectory() as folder:
        assert 1 <= (printed := page.pdf(os.path.join(folder, "page.pdf"))) <= sheets, (printed, sheets)
    assert not (bad := complaints(page)), bad
