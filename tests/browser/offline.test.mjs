// A report is a directory: its pages load what lies in it and nothing else, break no rule of their own policy, and show
// everything without script.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser } from "./driver.mjs";
import { PACKAGE, PAGES, ROOT_URL } from "./report.mjs";

let browser;
before(async () => { browser = await Browser.start(); });
after(async () => { await browser.stop(); });

for (const [name, url] of PAGES) {
  test(`the ${name} asks for nothing outside the report and has no errors`, async () => {
    await browser.script(true);
    await browser.log("performance");
    await browser.log("browser");
    await browser.open(url);
    const asked = (await browser.log("performance"))
      .map(({ message }) => JSON.parse(message).message)
      .filter(({ method }) => method === "Network.requestWillBeSent")
      .map(({ params }) => params.request.url);
    assert.ok(asked.includes(url), "the log holds the page itself");
    assert.ok(asked.some((address) => address.endsWith("assets/skipstone.js")), "the log holds the script");
    const outside = asked.filter((address) => !address.startsWith(ROOT_URL) && !address.startsWith("data:") && address !== "about:blank");
    assert.deepEqual(outside, []);
    assert.deepEqual((await browser.log("browser")).map(({ message }) => message), []);
  });

  test(`the ${name} is complete without script`, async () => {
    await browser.script(false);
    await browser.open(url);
    const hidden = await browser.run(() => [...document.querySelectorAll("main *")]
      .filter((element) => element.hidden && !element.matches("form.filter, #chooser"))
      .map((element) => element.outerHTML.slice(0, 160)));
    await browser.script(true);
    assert.deepEqual(hidden, []);
  });
}

test("without script a package shows its map and its tables, and no control that does nothing", async () => {
  await browser.script(false);
  await browser.open(PACKAGE);
  const seen = await browser.run(() => {
    const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility()).length;
    return { maps: visible(".rm-map"), tables: visible("table"), controls: visible("select, input, button") };
  });
  await browser.script(true);
  assert.equal(seen.maps, 1);
  assert.ok(seen.tables >= 3, `${seen.tables} tables`);
  assert.equal(seen.controls, 0);
});
