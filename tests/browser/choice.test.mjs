// What the script adds: the choice of a path by keyboard alone, and filters that say how much they keep.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser, KEYS } from "./driver.mjs";
import { CATALOG, PAGES } from "./report.mjs";

let browser;
before(async () => {
  browser = await Browser.start();
  await browser.look({ width: 1280, theme: "light" });
});
after(async () => { await browser.stop(); });

const focused = () => browser.run(() => document.activeElement.id);

/** Moves on with the tab key until the element with that id has the focus. */
async function tabTo(id) {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused()) === id) return;
    await browser.press(KEYS.tab);
  }
  assert.fail(`${id} is not reached by the tab key`);
}

const shown = () => browser.run(() => ({
  says: document.querySelector(".path-says")?.textContent ?? "",
  steps: [...document.querySelectorAll(".steps li strong")].map((step) => step.textContent),
  drawn: document.querySelectorAll(".rm-overlay .rm-path").length,
  stops: document.querySelectorAll(".rm-overlay .rm-path-stop").length,
  marked: document.querySelectorAll(".rm-on-path").length,
  hash: location.hash,
}));

for (const name of ["largest package", "ordinary package"]) {
  test(`a path is chosen by keyboard, listed and drawn: ${name}`, async () => {
    await browser.open(PAGES.get(name));
    await tabTo("choose-from");
    const walk = await browser.run(() => {
      const data = JSON.parse(document.getElementById("chooser-data").textContent);
      const found = data.engines[0].scopes[0].walks.find(([, next]) => next !== null);
      return found && { from: found[0], place: document.querySelector(`#choose-from option[value="${found[0]}"]`).index };
    });
    if (!walk) return;
    await browser.press(KEYS.home, ...Array(walk.place).fill(KEYS.down));
    const alone = await shown();
    assert.match(alone.says, /The engine goes .* on its own\./);
    assert.ok(alone.steps.length >= 2);
    assert.equal(alone.stops, alone.steps.length);
    assert.equal(alone.drawn, 1);
    assert.ok(alone.marked >= 1);

    await tabTo("choose-to");
    await browser.press(KEYS.end, KEYS.home, KEYS.down);
    const wanted = await shown();
    assert.notEqual(wanted.says, alone.says);
    assert.ok(wanted.hash.includes("to="));

    const url = await browser.get("/url");
    await browser.open(url);
    assert.deepEqual((await shown()).steps, wanted.steps, "a link leads to the same path");
  });
}

test("every walk that the tables of a package show is what the script finds", async () => {
  await browser.open(PAGES.get("ordinary package"));
  const wrong = await browser.run(() => {
    const data = JSON.parse(document.getElementById("chooser-data").textContent);
    const bad = [];
    for (const { scopes } of data.engines) {
      for (const scope of scopes) {
        for (const [from, next, , , reach] of scope.walks) {
          const { hops } = paths.answer(data, scope, from, null);
          if ((hops[0]?.to ?? null) !== next) bad.push(["first hop", from]);
          if (hops.some(({ via }) => via.length === 0)) bad.push(["a hop without an edge", from]);
          for (const to of paths.spread(data.reaches[reach])) {
            if (to !== from && paths.answer(data, scope, from, to).kind === "impossible") bad.push(["unreachable", from, to]);
          }
        }
      }
    }
    return bad.slice(0, 10);
  });
  assert.deepEqual(wrong, []);
});

test("a filter keeps the rows that hold the words and announces how many those are", async () => {
  await browser.open(CATALOG);
  const read = () => browser.run(() => {
    const form = document.querySelector('form[data-table="package-table"]');
    const rows = [...document.getElementById("package-table").tBodies[0].rows];
    const output = form.querySelector("output");
    return {
      live: output.getAttribute("aria-live"),
      says: output.textContent,
      all: rows.length,
      kept: rows.filter((row) => row.checkVisibility()).map((row) => row.cells[0].querySelector("a").textContent),
    };
  });
  const all = await read();
  assert.equal(all.live, "polite");
  assert.equal(all.says, `${all.all} packages`);
  assert.equal(all.kept.length, all.all);

  await browser.type("#package-table-filter", all.kept[0]);
  const some = await read();
  assert.ok(some.kept.includes(all.kept[0]));
  assert.equal(some.says, `${some.kept.length} of ${all.all} packages`);

  await browser.type("#package-table-filter", "no such package");
  const none = await read();
  assert.deepEqual(none.kept, []);
  assert.equal(none.says, `0 of ${all.all} packages`);
});

test("the skip link is the first stop and leads to the content", async () => {
  await browser.open(CATALOG);
  await browser.press(KEYS.tab);
  assert.equal(await browser.run(() => document.activeElement.className), "skip-link");
  await browser.press("\uE007");
  assert.equal(await focused(), "content");
});
