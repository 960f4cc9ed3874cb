// Opens a page of a report in a real browser and uses it as a person would, by mouse and by keyboard.
//
//     node run.mjs PAGE.html [--hostile TEXTS.json] [--standalone] [--shots FOLDER]
//
// The browser is $NAPSIM_CHROMIUM or what Debian calls chromium. Nothing may be asked of any network, no script but the page's
// own may run, and nothing may be said on the console. Prints one line a check and ends with 1 if any fails.

import { readFileSync, mkdirSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : null);
const file = resolve(args[0]);
const shots = option("--shots");
const isStandalone = args.includes("--standalone");
const hostile = option("--hostile") ? JSON.parse(readFileSync(option("--hostile"), "utf8")) : null;
const executablePath = process.env.NAPSIM_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

// What the replay has drawn so far.
const drawn = [];
let nChecks = 0;
const failures = [];
const check = (name, holds, detail = "") => {
  nChecks += 1;
  if (!holds) failures.push(name);
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds || !detail ? "" : `: ${detail}`}`);
};

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
const context = await browser.newContext({ offline: true, acceptDownloads: true, viewport: { width: 1280, height: 900 }, colorScheme: "light" });
const requests = [], talk = [], violations = [];
let nDialogs = 0;
await context.exposeBinding("noteViolation", (_, text) => violations.push(text));
await context.addInitScript(() => {
  document.addEventListener("securitypolicyviolation", (event) => window.noteViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
});
const page = await context.newPage();
page.on("request", (request) => {
  if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
});
page.on("console", (message) => talk.push(`${message.type()}: ${message.text()}`));
page.on("pageerror", (error) => talk.push(`error: ${error.message}`));
page.on("dialog", (dialog) => {
  nDialogs += 1;
  dialog.dismiss();
});
const home = pathToFileURL(file).href;
const shoot = async (name, what = page) => {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await what.screenshot({ path: `${shots}/${name}.png` });
};
const isHidden = (selector) => page.$$eval(selector, (all) => all.every((element) => getComputedStyle(element).display === "none"));

async function charts() {
  const figures = await page.$$eval("[data-figure]", (all) => all.map((figure) => figure.id));
  check("there are charts", figures.length >= 10, String(figures.length));
  const ids = await page.$$eval("[id]", (all) => all.map((element) => element.id));
  check("no two elements share an id", new Set(ids).size === ids.length, ids.filter((id, place) => ids.indexOf(id) !== place).slice(0, 5).join());
  for (const id of figures) {
    const figure = page.locator(`figure[id="${id}"]`);
    const parts = await figure.evaluate((element) => ({
      question: element.querySelector("h3")?.textContent.trim(),
      nDrawn: element.querySelectorAll("svg, table").length,
      columns: element.querySelector("thead tr")?.cells.length ?? 0,
      // Each chart has a name for those who do not see it.
      nNameless: Array.from(element.querySelectorAll("svg[role=img]")).filter((svg) => !svg.getAttribute("aria-label")).length,
    }));
    // Chromium takes ten files at once for a flood that nobody asked for; a person is slower.
    await page.waitForTimeout(200);
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 10000 }), figure.locator("[data-csv]").first().click()]);
    const csv = readFileSync(await download.path(), "utf8");
    const header = csv.split("\n")[0];
    const isTable = csv.split("\n").length > 1 && header.length > 0;
    check(`chart ${id} has a question, a drawing and its CSV`, parts.question && parts.nDrawn > 0 && parts.nNameless === 0 && isTable, JSON.stringify({ ...parts, header }));
    check(`the CSV of ${id} is named after it`, download.suggestedFilename() === `${id}.csv`, download.suggestedFilename());
  }
  const first = page.locator("[data-figure] details summary").first();
  await first.focus();
  await page.keyboard.press("Enter");
  check("definitions open by key", await first.evaluate((summary) => summary.parentElement.open));
}

async function theme() {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.click("#theme");
  const dark = await background();
  check("the button changes the theme", light !== dark, light);
  await shoot("dark");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("t");
  check("so does the key", (await background()) === light);
  await page.emulateMedia({ colorScheme: "dark" });
  check("a chosen theme stays", (await background()) === light);
  await page.emulateMedia({ colorScheme: "light" });
}

async function runs() {
  const boxes = page.locator("[data-run-filter]");
  if ((await boxes.count()) === 0) return;
  const group = await boxes.first().getAttribute("value");
  await boxes.first().uncheck();
  check("a run that is not wanted is hidden", await isHidden(`main [data-group="${group}"]`));
  await page.click("#runs-none");
  check("all runs can be hidden", await isHidden("main [data-group]"));
  await page.click("#runs-all");
  check("and shown again", !(await isHidden(`main [data-group="${group}"]`)));
  await boxes.first().focus();
  await page.keyboard.press("Space");
  check("by key as well", await isHidden(`main [data-group="${group}"]`));
  await page.keyboard.press("Space");
}

async function sorting() {
  const table = page.locator("#trajectory-table table");
  const values = () => table.evaluate((element, column) => Array.from(element.tBodies[0].rows, (row) => row.cells[column].dataset.v), 3);
  const header = table.locator("th").nth(3).locator("button");
  const isSorted = (list, sign) => list.map(Number).every((value, place, all) => place === 0 || sign * (all[place - 1] - value) <= 0);
  await header.click();
  check("a click sorts numbers from the largest", isSorted(await values(), -1));
  await header.focus();
  await page.keyboard.press("Enter");
  check("a key turns the order round", isSorted(await values(), 1));
  check("and it is said", (await table.locator("th").nth(3).getAttribute("aria-sort")) === "ascending");
}

async function filter() {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("/");
  check("the slash goes to the filter", await page.evaluate(() => document.activeElement.id === "filter"));
  const rows = "#trajectory-table tbody tr";
  const all = await page.$$eval(rows, (list) => list.length);
  const name = await page.$eval(rows, (row) => row.dataset.name);
  await page.fill("#filter", name);
  const shown = await page.$$eval(rows, (list) => list.filter((row) => !row.hidden).map((row) => row.dataset.name));
  check("the filter leaves what holds the text", shown.length > 0 && shown.length <= all && shown.every((other) => other.includes(name)), String(shown.length));
  await page.fill("#filter", "nothing is called this");
  check("and nothing where nothing does", await page.$$eval("[data-name]", (list) => list.every((element) => element.hidden)));
  await page.fill("#filter", "");
  await page.keyboard.press("Escape");
  check("escape leaves it", await page.evaluate(() => document.activeElement.id !== "filter"));
  await page.keyboard.press("?");
  check("the question mark shows the keys", await page.$eval("#keys", (dialog) => dialog.open));
  await page.keyboard.press("Escape");
  check("escape closes them", !(await page.$eval("#keys", (dialog) => dialog.open)));
}

async function tooltips() {
  const mark = page.locator("figure svg.chart .mark:has(title)").first();
  if ((await mark.count()) === 0) return check("marks have tooltips", false);
  await mark.scrollIntoViewIfNeeded();
  await mark.hover({ force: true });
  check("a mark tells its numbers", await page.$eval("#tip", (tip) => !tip.hidden && tip.textContent.length > 0));
}

async function viewer(keysFrom) {
  const step = () => page.$eval("#viewer-step", (element) => element.textContent.trim());
  const sheet = "#viewer-sheet";
  await page.waitForSelector(`${sheet} td`, { timeout: 15000 });
  check("the replay draws a sheet", (await page.$$(`${sheet} td`)).length > 10);
  const before = await step();
  await page.click("[data-viewer-next]");
  check("a click goes on a step", (await step()) !== before, before);
  await page.focus(keysFrom);
  const clicked = await step();
  await page.keyboard.press("ArrowLeft");
  check("a key goes back", (await step()) !== clicked, clicked);
  await page.keyboard.press("a");
  const accepted = await page.$("[data-viewer-card=accepted]");
  check("A goes to an accepted proposal", accepted !== null);
  await shoot("replay-accepted");
  await page.keyboard.press("r");
  check("R goes to a rejected one", (await page.$("[data-viewer-card=rejected]")) !== null);
  check("with the checks of the policy", (await page.$("[data-viewer-check]")) !== null);
  check("and the list of what is to do", (await page.$("[data-viewer-todo] [data-todo]")) !== null);
  await page.keyboard.press("Home");
  const first = await step();
  await page.keyboard.press("End");
  check("Home and End go to the ends", (await step()) !== first);
  await page.$eval("#viewer-slider", (slider) => {
    slider.value = "2";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  check("the slider goes anywhere", (await step()) !== first);
  await page.waitForFunction(() => location.hash.startsWith("#replay/"), null, { timeout: 5000 }).catch(() => {});
  check("the link follows", /#replay\/.+\/\d+$/.test(page.url()), page.url());
}

async function links() {
  const strip = page.locator("[data-strip] svg").first();
  if ((await strip.count()) > 0) {
    await strip.scrollIntoViewIfNeeded();
    const box = await strip.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => location.hash.startsWith("#replay/"));
    check("a click on a time line leads into the replay", true);
  }
  const list = JSON.parse(await page.$eval("#films", (block) => block.textContent));
  const film = list[0];
  await page.goto("about:blank");
  await page.goto(`${home}#replay/${encodeURIComponent(film.unit)}/3`);
  await page.waitForSelector("#viewer-sheet td", { timeout: 15000 });
  const text = await page.$eval("#viewer-step", (element) => element.textContent);
  check("a link opens the replay at its step", /\b3\b/.test(text), text);
}

async function widths() {
  for (const width of [1280, 1024, 400]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(`nothing stands out at ${width} pixels`, over <= 0, `${over} pixels`);
    await shoot(`width-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ media: "print" });
  check("paper has no buttons", await isHidden(".side, .tools, [data-csv]"));
  await shoot("print");
  await page.emulateMedia({ media: "screen" });
}

async function inert() {
  const state = await page.evaluate(() => ({ pwned: window.__pwned, polluted: {}.__pwned, nScripts: document.querySelectorAll("script:not([type])").length }));
  check("nothing of the data ran", state.pwned === undefined && state.polluted === undefined && state.nScripts === 1, JSON.stringify(state));
  const strange = await page.$$eval("body *", (all) => {
    const attributes = (element) => Array.from(element.attributes);
    const isStrange = (element) => attributes(element).some(({ name, value }) => name.startsWith("on") || (name === "href" && !value.startsWith("#")) || name === "src");
    return all.filter((element) => isStrange(element) || /^(img|iframe|object|embed|base|link|form|math|foreignObject|image|use)$/i.test(element.tagName)).map((element) => element.outerHTML.slice(0, 120));
  });
  check("nothing of the data became an element or a handler", strange.length === 0, strange.slice(0, 3).join(" | "));
  if (!hostile) return;
  const shown = (await page.evaluate(() => document.body.textContent)) + drawn.join("\n");
  // Controls and what turns the direction of writing are shown as escapes; the replay shows what joins signs as well.
  const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  const joining = /[\u200b-\u200d]/g;
  const escape = (c) => `\\u{${c.codePointAt(0).toString(16)}}`;
  const forms = (text) => {
    const printed = text.replace(unprintable, escape);
    return [printed, printed.replace(joining, escape), printed.replaceAll("\\u{9}", "\t"), printed.replaceAll("\\u{9}", "\\t")];
  };
  const missing = hostile.filter((text) => !forms(text).some((form) => shown.includes(form)));
  check("every hostile text is shown as it is", missing.length === 0, `${missing.length} of ${hostile.length} are not: ${JSON.stringify(missing.slice(0, 8))}`);
}

/** Each step of the first films is drawn; of many where every text of the data must have been on the page. */
async function everything() {
  const nFilms = await page.$$eval("#viewer-film option", (all) => all.length).catch(() => 1);
  const seen = new Set();
  for (let film = 0; film < Math.min(nFilms, hostile ? 12 : 1); film += 1) {
    if ((await page.$("#viewer-film")) !== null && nFilms > 1) {
      await page.selectOption("#viewer-film", { index: film });
      await page.waitForTimeout(150);
    }
    const texts = await page.evaluate(async () => {
      const slider = document.querySelector("#viewer-slider");
      const found = [];
      for (let step = Number(slider.min); step <= Number(slider.max); step += 1) {
        slider.value = String(step);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
        found.push(document.querySelector("#viewer-sheet").parentElement.parentElement.textContent);
      }
      return found;
    });
    for (const text of texts) seen.add(text);
    drawn.push(...texts);
  }
  check("every step of the first films is drawn", seen.size > 1, String(seen.size));
}

try {
  await page.goto(home);
  await shoot("top");
  if (isStandalone) {
    await viewer("#viewer-slider");
  } else {
    await charts();
    await theme();
    await runs();
    await sorting();
    await filter();
    await tooltips();
    await widths();
    if ((await page.$("#viewer")) !== null) {
      await links();
      await viewer("#viewer-slider");
    }
  }
  if ((await page.$("#viewer-slider")) !== null) await everything();
  await inert();
} catch (error) {
  check("the page can be used to the end", false, error.stack);
}
check("no request left", requests.length === 0, requests.join(" "));
check("nothing was said on the console", talk.length === 0, talk.slice(0, 5).join(" | "));
check("the content security policy was not violated", violations.length === 0, violations.slice(0, 5).join(" | "));
check("no dialog opened", nDialogs === 0, String(nDialogs));
await browser.close();
console.log(`${nChecks} checks, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
