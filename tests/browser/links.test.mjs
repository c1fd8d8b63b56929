// Every relative link of every page leads to a file of the report, and every fragment to an element of its page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { EVERY_PAGE, ROOT_URL } from "./report.mjs";

const unescape = (text) => text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const holdsId = (file, id) => new RegExp(`\\sid="${id}"`).test(readFileSync(file, "utf8"));

test("no link of the report is dead", () => {
  const dead = [];
  for (const page of EVERY_PAGE) {
    for (const [, link] of readFileSync(new URL(page), "utf8").matchAll(/<[^>]*\s(?:href|src)="([^"]*)"/g)) {
      const target = new URL(unescape(link), page);
      if (target.protocol !== "file:") continue;
      const file = fileURLToPath(new URL(target.pathname, page));
      const inside = target.href.startsWith(ROOT_URL);
      const found = inside && existsSync(file) && (target.hash === "" || holdsId(file, target.hash.slice(1)));
      if (!found) dead.push(`${page}: ${link}`);
    }
  }
  assert.ok(EVERY_PAGE.length >= 3);
  assert.deepEqual([...new Set(dead)].slice(0, 20), []);
});
