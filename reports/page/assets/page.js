"use strict";
// The interaction of the report: theme, filter of runs, CSV, sorting, tooltips, keys, links into the replay. All but the replay is
// shown without it; it only hides, sorts and copies what is there. Data becomes text by textContent alone.
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const one = (selector, root = document) => root.querySelector(selector);

  // Theme: the system's until somebody chooses.
  const theme = one("#theme");
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const toggleTheme = () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    theme?.setAttribute("aria-pressed", String(isDark()));
  };
  theme?.addEventListener("click", toggleTheme);

  // Filter of runs: everything that belongs to a run has its group.
  const boxes = all("[data-run-filter]");
  const applyRuns = () => {
    const hidden = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    for (const element of all("[data-group]")) element.classList.toggle("off", hidden.has(element.dataset.group));
  };
  for (const box of boxes) box.addEventListener("change", applyRuns);
  const setRuns = (checked) => {
    for (const box of boxes) box.checked = checked;
    applyRuns();
  };
  one("#runs-all")?.addEventListener("click", () => setRuns(true));
  one("#runs-none")?.addEventListener("click", () => setRuns(false));

  // Data blocks: JSON, or gzip in base64 where they are large.
  const blockText = async (block) => {
    if (block.type !== "text/plain") return JSON.parse(block.textContent);
    const bytes = Uint8Array.from(atob(block.textContent.trim()), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const download = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  for (const button of all("[data-csv]")) {
    button.addEventListener("click", async () => {
      const block = document.getElementById("csv-" + button.dataset.csv);
      if (block) download(button.dataset.csv + ".csv", await blockText(block));
    });
  }

  // Sorting: by the value of a cell where it has one, else by its text. Cells without a value come last either way.
  const sortValue = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return null;
    if (cell.dataset.v !== undefined) return cell.dataset.v === "" ? null : Number(cell.dataset.v);
    return cell.textContent.trim();
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en"));
  const sortBy = (header) => {
    const table = header.closest("table");
    const body = table.tBodies[0];
    const column = header.cellIndex;
    const isNumber = header.dataset.sort === "number";
    const before = header.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : isNumber;
    for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const rows = Array.from(body.rows).map((row, place) => ({ row, place, value: sortValue(row, column) }));
    rows.sort((a, b) => {
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null) || a.place - b.place;
      const order = compare(a.value, b.value);
      return (descending ? -order : order) || a.place - b.place;
    });
    body.append(...rows.map(({ row }) => row));
  };
  for (const button of all("th button[data-sort-by]")) button.addEventListener("click", () => sortBy(button.closest("th")));

  // The filter box hides rows, panels and time lines whose name does not hold the text.
  const filter = one("#filter");
  const applyFilter = () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const element of all("[data-name]")) {
      const matches = element.dataset.name.toLowerCase().includes(wanted);
      element.hidden = !matches;
      if (matches && element.tagName === "TR" && !element.classList.contains("off")) shown += 1;
    }
    const count = one("#filter-count");
    if (count) count.textContent = wanted ? shown + " shown" : "";
  };
  filter?.addEventListener("input", applyFilter);

  // Tooltips: the browser's own come late and cannot be styled, so the title of a mark moves here while it is pointed at.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const titles = new WeakMap();
  const titleOf = (target) => {
    for (let node = target; node && node.tagName !== "svg"; node = node.parentElement) {
      if (titles.has(node)) return titles.get(node);
      const title = Array.from(node.children).find((child) => child.tagName === "title");
      if (title) {
        titles.set(node, title.textContent);
        node.setAttribute("aria-label", title.textContent);
        title.remove();
        return titles.get(node);
      }
    }
    return null;
  };
  document.addEventListener("pointermove", (event) => {
    const inChart = event.target instanceof Element && event.target.closest("svg.chart");
    const text = inChart ? titleOf(event.target) : null;
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)) + "px";
  });

  // Time lines of one run at a time.
  const stripRun = one("#strip-run");
  stripRun?.addEventListener("change", () => {
    for (const strip of all("[data-strip-run]")) strip.classList.toggle("other-run", strip.dataset.stripRun !== stripRun.value);
  });

  // A click on a time line goes to the nearest step of the replay.
  for (const strip of all("[data-strip]")) {
    strip.addEventListener("click", (event) => {
      const svg = event.target.closest("svg");
      if (!svg) return;
      const box = svg.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      location.hash = "replay/" + strip.dataset.strip + "/" + Math.max(1, Math.round(share * Number(strip.dataset.steps)));
    });
  }

  // The side list shows where one is.
  const links = new Map(all(".side nav a").map((link) => [link.hash.slice(1), link]));
  const mark = (id) => {
    for (const [other, link] of links) {
      if (other === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  if ("IntersectionObserver" in window) {
    const visible = new Set();
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) entry.isIntersecting ? visible.add(entry.target.id) : visible.delete(entry.target.id);
      const first = Array.from(links.keys()).find((id) => visible.has(id));
      if (first) mark(first);
    }, { rootMargin: "-10% 0px -70% 0px" });
    for (const id of links.keys()) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
  }

  // The replay is set up when it comes near, or when a link leads there.
  const host = one("#viewer");
  let isMounted = false;
  const mount = () => {
    if (isMounted || !host || !window.napsimViewer) return;
    isMounted = true;
    window.napsimViewer.mount(host, JSON.parse(one("#films").textContent));
  };
  const followLink = () => {
    if (!location.hash.startsWith("#replay/")) return;
    mount();
    document.getElementById("replay")?.scrollIntoView();
  };
  if (host) {
    new IntersectionObserver((entries, observer) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        mount();
      }
    }, { rootMargin: "600px" }).observe(host);
    addEventListener("hashchange", followLink);
    followLink();
  }

  // Keys. None works while one types, and none with a modifier.
  const keys = one("#keys");
  one("#keys-open")?.addEventListener("click", () => keys.showModal());
  one("#keys-close")?.addEventListener("click", () => keys.close());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (isTyping) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "/" && filter) {
      event.preventDefault();
      filter.scrollIntoView({ block: "center" });
      filter.focus();
    } else if (event.key === "?") {
      keys?.showModal();
    } else if (event.key === "t") {
      toggleTheme();
    }
  });
})();
