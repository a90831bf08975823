// What makes bitpal's pages quicker: live prices, search as one types, keys, a line under the pointer. Everything works
// without it, by links and forms; it asks this server and no other.
(() => {
  "use strict";
  const root = document.documentElement;
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
  root.classList.add("js");

  // What is masked is remembered, and is so before anything is painted.
  const mask = {
    get isOn() {
      try { return localStorage.getItem("masked") === "yes"; } catch { return root.classList.contains("masked"); }
    },
    set(isOn) {
      root.classList.toggle("masked", isOn);
      try { localStorage.setItem("masked", isOn ? "yes" : "no"); } catch { /* then for this page alone */ }
      const button = one("#mask");
      if (!button) return;
      button.hidden = false;
      button.setAttribute("aria-pressed", isOn);
    },
  };
  root.classList.toggle("masked", mask.isOn);

  const load = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    const text = await answer.text();
    return { wait: Number(answer.headers.get("Retry-After")), page: new DOMParser().parseFromString(text, "text/html") };
  };
  const page = async (address) => (await load(address)).page;

  // Makes a part of the page what it is now, touching only what has changed, so that focus and selection stay.
  const flash = (element) => {
    element.classList.remove("flash");
    void element.offsetWidth;
    element.classList.add("flash");
  };
  const renew = (old, now) => {
    if (old.isEqualNode(now)) return;
    const before = [...old.childNodes], after = [...now.childNodes];
    if (before.length !== after.length || before.some((node, index) => node.nodeName !== after[index].nodeName)) {
      old.replaceChildren(...after);
    } else {
      before.forEach((node, index) => {
        const next = after[index];
        if (node.nodeType === Node.TEXT_NODE) {
          if (node.data !== next.data) {
            node.data = next.data;
            if (old.closest("main") && !old.hasAttribute("data-age")) flash(old);
          }
        } else {
          renew(node, next);
        }
      });
    }
    for (const { name } of [...old.attributes]) {
      if (!now.hasAttribute(name) && name !== "open" && name !== "class") old.removeAttribute(name);
    }
    for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  };

  // Live prices
  let loaded = performance.now();
  const follow = () => {
    let source, events = document.body.dataset.events, isGone = false;
    const status = one("#status"), live = one("#live");
    const say = (text) => {
      status.textContent = text;
      status.hidden = !text;
    };
    const show = (text, isOn) => {
      live.textContent = text;
      live.hidden = false;
      live.classList.toggle("on", isOn);
    };
    const refresh = async () => {
      const now = await page(location.href);
      for (const part of all("[data-live]")) {
        const next = now.getElementById(part.id);
        if (next) renew(part, next);
      }
      document.title = now.title;
      loaded = performance.now();
      mask.set(mask.isOn);
      if (now.body.dataset.events === events) return;
      events = now.body.dataset.events;
      close();
      open();
    };
    const differs = (prices) => {
      const now = new Map(prices.map((row) => ["coin-" + row.id, row.price + (row.stale ? "!" : "")]));
      return all("[data-price]").some((row) => row.dataset.price !== (now.get(row.id) ?? ""));
    };
    const close = () => {
      source?.close();
      source = undefined;
    };
    const open = () => {
      if (source || document.hidden || !events) return;
      let isFirst = true;
      const own = source = new EventSource(events);
      own.addEventListener("prices", async (event) => {
        const isNews = isGone || !isFirst || differs(JSON.parse(event.data).prices);
        isFirst = isGone = false;
        say("");
        show("live", true);
        if (isNews) await refresh().catch(() => {});
      });
      own.onerror = () => {
        isGone = true;
        show("not live", false);
        if (own.readyState !== EventSource.CLOSED) return say("The server does not answer. Trying again…");
        // It answers, but has no stream for us: what was refused is not tried again by the browser.
        if (source !== own) return;
        close();
        setTimeout(open, 5000);
      };
    };
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        close();
        if (events) show("paused", false);
      } else {
        refresh().catch(() => {});
        open();
      }
    });
    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    open();
  };

  // Ages go on, unless the clock of the prices stands.
  const age = () => {
    const passed = (performance.now() - loaded) / 1000;
    for (const element of all("[data-age]")) {
      const seconds = Math.floor(Number(element.dataset.age) + passed);
      element.firstChild.data = seconds < 60 ? `${seconds}s` : seconds < 3600 ? `${Math.floor(seconds / 60)}m`
        : seconds < 86400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86400)}d`;
    }
  };

  // The weeks that are not cached, slowly: the source's budget is for prices first.
  const sparks = async () => {
    await wait(1);
    for (let cell; (cell = one("[data-spark]")); await wait(20)) {
      while (document.hidden) await wait(5);
      const name = cell.dataset.spark;
      const drawn = await load("/spark/" + encodeURIComponent(name)).catch(() => ({ wait: 40 }));
      // A refusal holds for the next one too; then the same one is tried again.
      if (drawn.wait) {
        await wait(Math.min(drawn.wait, 3600));
        continue;
      }
      const now = all("[data-spark]").find((other) => other.dataset.spark === name);
      now?.removeAttribute("data-spark");
      now?.replaceChildren(...drawn.page.body.childNodes);
    }
  };

  // The seconds until a source may be asked again; the browser itself then loads the page.
  const countDown = () => {
    const passed = (performance.now() - loaded) / 1000;
    for (const element of all("[data-wait]")) {
      element.textContent = `${Math.max(0, Math.ceil(Number(element.dataset.wait) - passed))} s`;
    }
  };

  // Search as one types
  const search = () => {
    const box = one("#query"), list = one("#found");
    let turn = 0, asked = Promise.resolve();
    const hide = () => (list.hidden = true);
    box.addEventListener("input", async () => {
      const own = ++turn, text = box.value.trim();
      if (!text) return hide();
      // Once typing pauses, and one request at a time.
      await wait(0.35);
      await asked;
      if (own !== turn) return;
      const found = await (asked = page("/search?query=" + encodeURIComponent(text)).catch(() => undefined));
      if (own !== turn || !found) return;
      list.replaceChildren(...one("#results", found).childNodes);
      list.hidden = false;
    });
    box.form.addEventListener("keydown", (event) => {
      const links = [box, ...all("a", list)], place = links.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") {
        hide();
        box.focus();
      } else if (step && !list.hidden && links[place + step]) {
        links[place + step].focus();
        event.preventDefault();
      }
    });
    document.addEventListener("click", (event) => box.form.contains(event.target) || hide());
    document.addEventListener("focusin", (event) => box.form.contains(event.target) || hide());
  };

  // Keys: each is written on what it is for.
  const keys = () => document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key.startsWith("Arrow")) return;
    if (event.target.closest("input, select, textarea")) return;
    const target = all("[aria-keyshortcuts]").find((element) => element.getAttribute("aria-keyshortcuts") === event.key);
    if (!target) return;
    event.preventDefault();
    if (target.matches("input")) target.select();
    else target.click();
  });

  // The line under the pointer
  const point = () => {
    const shown = (figure) => all(".plot > div", figure.parentElement).find((part) => part.offsetWidth > 0 && figure.contains(part));
    const marks = (figure) => figure.dataset.marks ? figure.dataset.marks.split(";").map((mark) => mark.split("|")) : [];
    const show = (figure, index) => {
      const part = shown(figure), mark = marks(figure)[index], place = part?.dataset.places.split(" ")[index];
      if (!mark || !place) return;
      const [x, y] = place.split(",").map(Number), box = part.firstElementChild.viewBox.baseVal;
      const scale = part.offsetWidth / box.width, line = one(".line", figure), tip = one(".tip", figure);
      const time = document.createElement("span"), value = document.createElement("b");
      [time.textContent, value.textContent] = mark;
      tip.replaceChildren(value, time);
      line.hidden = tip.hidden = false;
      line.style.left = `${x * scale}px`;
      line.style.setProperty("--y", `${y * scale}px`);
      tip.style.left = `${Math.max(0, Math.min(x * scale - tip.offsetWidth / 2, part.offsetWidth - tip.offsetWidth))}px`;
      figure.dataset.at = index;
    };
    const hide = (figure) => {
      for (const part of all(".line, .tip", figure)) part.hidden = true;
    };
    // A finger that taps moves no pointer.
    const follow = (event) => {
      const figure = event.target.closest?.(".plot");
      for (const other of all(".plot")) if (other !== figure) hide(other);
      const part = figure && shown(figure);
      if (!part) return;
      const bounds = part.getBoundingClientRect(), box = part.firstElementChild.viewBox.baseVal;
      const x = (event.clientX - bounds.left) / bounds.width * box.width;
      const places = part.dataset.places.split(" ").map((place) => Math.abs(parseFloat(place) - x));
      show(figure, places.indexOf(Math.min(...places)));
    };
    for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, follow);
    document.addEventListener("keydown", (event) => {
      const figure = event.target.closest?.(".plot"), step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!figure || !step || !event.shiftKey) return;
      const last = marks(figure).length - 1;
      show(figure, Math.max(0, Math.min(last, Number(figure.dataset.at ?? last) + step)));
      event.preventDefault();
    });
    document.addEventListener("focusout", (event) => event.target.matches?.(".plot") && hide(event.target));
  };

  document.addEventListener("DOMContentLoaded", () => {
    mask.set(mask.isOn);
    document.addEventListener("click", (event) => event.target.closest("#mask") && mask.set(!mask.isOn));
    follow();
    search();
    keys();
    point();
    sparks();
    one("#zones option").value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setInterval(countDown, 1000);
    if (!document.body.hasAttribute("data-still")) setInterval(age, 1000);
  });
})();
