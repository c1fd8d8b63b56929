// The report that is looked at: the directory that SKIPSTONE_REPORT names.
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

if (!process.env.SKIPSTONE_REPORT) throw new Error("SKIPSTONE_REPORT must name the directory of a report");

export const ROOT = resolve(process.env.SKIPSTONE_REPORT);
export const ROOT_URL = `${pathToFileURL(ROOT)}/`;

/** All pages below a directory of the report, largest first; equal ones by name. */
function pagesBelow(directory) {
  const entries = readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => ({ path, size: statSync(path).size }))
    .sort((one, other) => other.size - one.size || (one.path < other.path ? -1 : 1))
    .map(({ path }) => String(pathToFileURL(path)));
}

const packages = pagesBelow("packages");
export const OVERVIEW = `${ROOT_URL}index.html`;
export const CATALOG = pagesBelow("catalogs")[0];
export const EVERY_PAGE = [OVERVIEW, ...pagesBelow("catalogs"), ...packages];
/** The largest page of a package, and one of middle size. */
export const PACKAGE = packages[0];
export const ORDINARY_PACKAGE = packages[Math.floor(packages.length / 2)];

export const PAGES = new Map(
  Object.entries({ overview: OVERVIEW, catalog: CATALOG, "largest package": PACKAGE, "ordinary package": ORDINARY_PACKAGE }),
);
