"""Windows of a browser, and what is measured in them."""

import os
from urllib.parse import urlsplit

from world import Server

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

# What is on the watchlist of the server over the recording.
FOLLOWED = ["bitcoin", "ethereum", "solana", "dogecoin", "shiba-inu"]

WIDTHS = {"phone": (390, 844), "desk": (1280, 900), "large": (1440, 900), "wide": (2000, 1100)}


class Visit:
    """Some windows, none of which may say anything, fail, or ask somebody else."""

    def __init__(self, browser):
        self.browser, self.contexts, self.said, self.asked = browser, [], [], set()

    def open(self, url, width="desk", scheme="light", said_anyway=(), is_owner=True, **options):
        """A window with a page; what a test brings about on purpose may be said: `said_anyway` are parts of it.

        It is the owner's window of one of our servers, unless a test says otherwise or the server has a token.
        """
        size = WIDTHS[width]
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, accept_downloads=True, **options)
        self.contexts.append(context)
        server = Server.running.get(urlsplit(url).netloc)
        if is_owner and server and "--token-file" not in server.words:
            server.owner = getattr(server, "owner", None) or server.cookie()
            name, value = server.owner
            context.add_cookies([{"name": name, "value": value, "url": server.url, "httpOnly": True, "sameSite": "Strict"}])
        page = context.new_page()

        def say(text):
            if not any(part in text for part in said_anyway):
                self.said.append(text)

        page.on("console", lambda message: say(message.text))
        page.on("pageerror", lambda error: say(str(error)))
        page.on("dialog", lambda dialog: (say(f"dialog: {dialog.message}"), dialog.dismiss()))
        context.on("request", lambda request: self.asked.add(urlsplit(request.url).netloc))
        self.own = urlsplit(url).netloc
        page.goto(url)
        return page

    def close(self):
        for context in self.contexts:
            context.close()
        assert not self.said, self.said
        assert self.asked <= {self.own}, self.asked


def overflow(page):
    """By how many pixels the page is wider than its window, and the elements that are."""
    return page.evaluate("""() => {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      return [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1)
        .map((e) => e.outerHTML.slice(0, 120));
    }""")


# The contrast of each text with what is behind it, by WCAG 2: of normal text 4.5, of large 3.
CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => part / 255).map((p) => p <= 0.03928 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (element) => {
    // A number on a coloured ground of a picture stands on the rectangle drawn before it.
    if (element.matches("text.tag")) return rgba(getComputedStyle(element.previousElementSibling).fill);
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).map((node) => node.data).join(" ");
    const box = element.getBoundingClientRect();
    if (!text || box.width < 2 || box.height < 2 || element.closest(".unseen, .skip, title, desc")) continue;
    const style = getComputedStyle(element);
    const ink = rgba(element.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && parseInt(style.fontWeight) >= 700;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return found;
}"""


def low_contrast(page):
    """The texts whose contrast is less than AA wants."""
    return page.evaluate(CONTRAST)


NAMED = {
    "link", "button", "searchbox", "textbox", "combobox", "image", "img", "table", "navigation", "search", "figure", "rowheader",
    "columnheader", "graphics-document", "heading",
}


def nameless(page):
    """What a screen reader comes to and has no name for."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    found = []
    for node in nodes:
        role = node.get("role", {}).get("value", "").lower()
        if node.get("ignored") or role not in NAMED:
            continue
        # A landmark that is there once needs no name of its own.
        if not node.get("name", {}).get("value", "").strip() and role != "search":
            found.append(role)
    return found
