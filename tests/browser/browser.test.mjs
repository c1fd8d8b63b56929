// The tests of the tests: a harness that finds nothing wrong anywhere would be worth nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withBrowser } from "./browser.mjs";

const page = (body) =>
    `data:text/html,${encodeURIComponent(`<!doctype html><html lang="en"><title>Quay</title><main>${body}</main></html>`)}`;

test("a page runs its scripts and answers", async () => {
    await withBrowser(async (browser) => {
        await browser.open(page("<h1>Quay</h1><script>document.title = 'Two ships'</script>"));
        assert.equal(await browser.run("return document.title"), "Two ships");
    });
});

test("a picture without a text is a fault, and one with a text is none", async () => {
    const picture = (attributes) => page(`<h1>Quay</h1><img src="data:," ${attributes}>`);
    await withBrowser(async (browser) => {
        await browser.open(picture(""));
        assert.deepEqual(await browser.accessibilityFaults(), ["image-alt: img"]);
        await browser.open(picture('alt="A ship"'));
        assert.deepEqual(await browser.accessibilityFaults(), []);
    });
});
