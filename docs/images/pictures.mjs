// Takes the pictures of the README from a report: node docs/images/pictures.mjs REPORT.html FOLDER
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "../../target/browser/node_modules/playwright-core/index.mjs";

const [report, folder] = process.argv.slice(2).map((name) => resolve(name));
const browser = await chromium.launch({
  executablePath: process.env.NAPSIM_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});
const open = async (colorScheme, hash, size) => {
  const page = await browser.newPage({ viewport: size, colorScheme });
  await page.goto(pathToFileURL(report).href + hash);
  await page.waitForTimeout(1500);
  return page;
};
const size = { width: 1180, height: 760 };
await (await open("light", "", size)).screenshot({ path: `${folder}/overview.png` });
await (await open("dark", "#streaks", size)).screenshot({ path: `${folder}/streaks.png` });
// An accepted proposal in the middle of a trajectory.
const replay = await open("light", "#replay/r2-t1/150", { width: 1400, height: 1000 });
await replay.locator("[data-viewer-next-accepted]").first().click();
await replay.waitForTimeout(800);
await replay.evaluate(() => document.querySelector("#viewer-timeline").scrollIntoView());
await replay.waitForTimeout(300);
await replay.screenshot({ path: `${folder}/replay.png` });
await browser.close();
