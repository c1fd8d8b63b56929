// WCAG 2.2 AA as far as axe-core can tell, in both themes, on a phone and on a desk; and no page scrolls sideways.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Browser } from "./driver.mjs";
import { PAGES } from "./report.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser;
before(async () => { browser = await Browser.start(); });
after(async () => { await browser.stop(); });

/** What axe finds, one line for each element. */
async function violations() {
  await browser.command("Runtime.evaluate", { expression: axe });
  return browser.runAsync(async () => {
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`));
  });
}

test("axe finds a picture without a text, and none with one: the harness works", async () => {
  const page = (attributes) => `data:text/html,${encodeURIComponent(
    `<!doctype html><html lang="en"><title>Quay</title><main><h1>Quay</h1><img src="data:," ${attributes}></main></html>`)}`;
  await browser.open(page(""));
  assert.match((await violations()).join(), /image-alt/);
  await browser.open(page('alt="A ship"'));
  assert.deepEqual(await violations(), []);
});

for (const [name, url] of PAGES) {
  for (const theme of ["light", "dark"]) {
    for (const width of [320, 1280]) {
      test(`axe finds nothing on the ${name}, ${theme}, ${width} px wide`, async () => {
        await browser.look({ width, theme });
        await browser.open(url);
        assert.deepEqual(await violations(), []);
      });
    }
  }

  test(`the ${name} does not scroll sideways at 320 px`, async () => {
    await browser.look({ width: 320, theme: "light" });
    await browser.open(url);
    const tooWide = await browser.run(() => {
      const root = document.documentElement;
      document.querySelectorAll("details").forEach((details) => { details.open = true; });
      if (root.scrollWidth <= root.clientWidth) return [];
      const boxed = (element) => element.parentElement?.closest(".scroll, .map-scroll, .map-frame") !== null;
      return [...document.body.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > root.clientWidth && !boxed(element))
        .map((element) => element.outerHTML.slice(0, 160));
    });
    assert.deepEqual(tooWide, []);
  });

  test(`every target on the ${name} is at least 24 px high or stands in a text`, async () => {
    await browser.look({ width: 320, theme: "light" });
    await browser.open(url);
    const small = await browser.run(() => [...document.querySelectorAll("a, button, select, input, summary")]
      .filter((element) => element.checkVisibility() && !element.closest("p, td, dd, li > p, .prose, .skip-link"))
      .filter((element) => !element.classList.contains("skip-link") && element.getBoundingClientRect().height < 24)
      .map((element) => element.outerHTML.slice(0, 160)));
    assert.deepEqual(small, []);
  });
}
