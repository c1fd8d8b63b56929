// A headless Chromium, driven through chromedriver by plain WebDriver requests (W3C WebDriver, sections 8 to 13).
// No package stands between: what a page test needs is a handful of requests.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

const AXE = new URL("node_modules/axe-core/axe.min.js", import.meta.url);
const START_MILLISECONDS = 30_000;

/** Starts a browser, hands it to `use`, and ends it whatever happens. */
export async function withBrowser(use) {
    const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
        const base = `http://127.0.0.1:${await announcedPort(driver)}`;
        const session = await request("POST", `${base}/session`, {
            capabilities: {
                alwaysMatch: {
                    browserName: "chrome",
                    "goog:chromeOptions": {
                        // Root in a container has neither a sandbox of its own nor much shared memory.
                        args: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"],
                    },
                },
            },
        });
        const browser = new Browser(`${base}/session/${session.sessionId}`);
        try {
            return await use(browser);
        } finally {
            await request("DELETE", browser.session);
        }
    } finally {
        driver.kill();
    }
}

class Browser {
    constructor(session) {
        this.session = session;
    }

    /** Opens an address and waits until it is loaded. */
    async open(url) {
        await request("POST", `${this.session}/url`, { url: String(url) });
    }

    /** Runs the body of a function in the page; a promise that it returns is waited for. */
    async run(script, ...args) {
        return request("POST", `${this.session}/execute/sync`, { script, args });
    }

    /** What hinders people on the open page, by the rules of WCAG 2.2 A and AA: `["image-alt: img.logo", …]`. */
    async accessibilityFaults() {
        await this.run(await readFile(AXE, "utf8"));
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
        const violations = await this.run(
            "return axe.run(document, {runOnly: arguments[0]}).then((outcome) => outcome.violations);",
            tags,
        );
        return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}`));
    }
}

function announcedPort(driver) {
    return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("chromedriver did not start in time")), START_MILLISECONDS);
        driver.once("error", reject);
        driver.once("exit", (code) => reject(new Error(`chromedriver ended with ${code}`)));
        let said = "";
        driver.stdout.on("data", (chunk) => {
            said += chunk;
            const port = said.match(/started successfully on port (\d+)/);
            if (port) {
                clearTimeout(late);
                resolve(port[1]);
            }
        });
    });
}

async function request(method, url, body) {
    const response = await fetch(url, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
}
