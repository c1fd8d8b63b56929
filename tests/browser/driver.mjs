// Speaks WebDriver (W3C) to chromedriver, with as much of it as the tests need, and cleans up after itself.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHROMEDRIVER = process.env.CHROMEDRIVER ?? "/usr/bin/chromedriver";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

/** Starts chromedriver and waits for the port that it chose. */
async function startServer() {
  const server = spawn(CHROMEDRIVER, ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve, reject) => {
    let text = "";
    server.on("error", reject);
    server.on("exit", () => reject(new Error(`chromedriver ended: ${text}`)));
    server.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/started successfully on port (\d+)/);
      if (found) resolve(Number(found[1]));
    });
  });
  return { server, url: `http://127.0.0.1:${port}` };
}

export class Browser {
  static async start() {
    const browser = new Browser();
    const { server, url } = await startServer();
    browser.server = server;
    browser.profile = await mkdtemp(join(tmpdir(), "skipstone-browser-"));
    const options = { binary: CHROMIUM, args: [...FLAGS, `--user-data-dir=${browser.profile}`] };
    const always = { browserName: "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { performance: "ALL", browser: "ALL" } };
    browser.session = url;
    const { sessionId } = await browser.post("/session", { capabilities: { alwaysMatch: always } });
    browser.session = `${url}/session/${sessionId}`;
    return browser;
  }

  async request(method, path, body) {
    const response = await fetch(`${this.session}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  post(path, body = {}) { return this.request("POST", path, body); }
  get(path) { return this.request("GET", path); }

  async stop() {
    await this.request("DELETE", "").catch(() => {});
    this.server.removeAllListeners("exit");
    const ended = new Promise((resolve) => { this.server.once("exit", resolve); });
    this.server.kill();
    await ended;
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Opens a page from scratch: a page that differs in its fragment only would not be loaded again. */
  async open(url) {
    await this.post("/url", { url: "about:blank" });
    await this.post("/url", { url });
  }

  /** Runs a function in the page. */
  run(code, ...args) {
    return this.post("/execute/sync", { script: `return (${code})(...arguments)`, args });
  }

  /** Runs a function that returns a promise in the page. */
  runAsync(code, ...args) {
    const script = `const done = arguments[arguments.length - 1];
      (${code})(...[...arguments].slice(0, -1)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    return this.post("/execute/async", { script, args }).then(({ value, error }) => {
      if (error) throw new Error(error);
      return value;
    });
  }

  command(cmd, params) { return this.post("/goog/cdp/execute", { cmd, params }); }

  /** A window so wide, in a light or dark theme. */
  async look({ width, theme }) {
    await this.command("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await this.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
  }

  script(on) { return this.command("Emulation.setScriptExecutionDisabled", { value: !on }); }

  log(type) { return this.post("/se/log", { type }); }

  async find(selector) {
    const found = await this.post("/element", { using: "css selector", value: selector });
    return `/element/${found[ELEMENT]}`;
  }

  async type(selector, text) { return this.post(`${await this.find(selector)}/value`, { text }); }

  /** Presses keys wherever the focus is. */
  press(...keys) {
    const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    return this.post("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }
}

export const KEYS = { tab: "\uE004", down: "\uE015", up: "\uE013", end: "\uE010", home: "\uE011", space: " " };
