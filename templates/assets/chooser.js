// The chooser: engine, channel, installed and wanted bundle; the steps between them as a list and on the map.
(() => {
  const chooser = document.getElementById("chooser");
  if (!chooser) return;
  const data = JSON.parse(document.getElementById("chooser-data").textContent);
  const map = document.querySelector(".rm-map");
  const [engine, channel, from, to] = ["engine", "channel", "from", "to"].map((id) => document.getElementById(`choose-${id}`));
  const result = document.getElementById("path");

  const make = (name, className, ...content) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...content);
    return element;
  };
  const option = (value, text) => {
    const made = make("option", "", text);
    made.value = value;
    return made;
  };
  /** Fills a select and keeps what was chosen, where it is still there. */
  const fill = (select, options, fallback) => {
    const before = select.value;
    select.replaceChildren(...options);
    const values = options.map(({ value }) => value);
    select.value = values.includes(before) ? before : fallback;
  };
  const scope = () => data.engines[Number(engine.value)].scopes[Number(channel.value)];

  const fillChannels = () => {
    const scopes = data.engines[Number(engine.value)].scopes;
    const chosen = channel.selectedOptions[0]?.textContent;
    const labels = scopes.map((one) => one.channel ?? "all channels");
    channel.replaceChildren(...labels.map((label, index) => option(String(index), label)));
    channel.value = String(Math.max(labels.indexOf(chosen), 0));
    channel.disabled = scopes.length < 2;
  };

  const fillNames = () => {
    const { walks, others } = scope() ?? { walks: [], others: [] };
    const installed = [...walks.map(([name]) => name), ...others.flatMap(([, , names]) => paths.spread(names))];
    const choices = installed.sort((one, other) => other - one).map((name) => option(String(name), data.names[name]));
    fill(from, [option("", "choose …"), ...choices], "");
    const all = data.names.map((name, index) => option(String(index), name)).reverse();
    fill(to, [option("", "where the engine goes"), ...all], "");
  };

  const SENTENCES = {
    walk: (steps) => (steps === 0 ? "It stays where it is." : `The engine goes ${steps === 1 ? "one step" : `${steps} steps`} on its own.`),
    "on-walk": (steps) => `The engine gets there on its own, in ${steps === 1 ? "one step" : `${steps} steps`}.`,
    fails: () => "The engine fails here, and nothing moves.",
    possible: (steps) => `The engine does not go there on its own. The shortest legal path has ${steps === 1 ? "one step" : `${steps} steps`}; someone must hold the engine to it.`,
    impossible: () => "No sequence of legal edges leads there.",
    same: () => "That is the installed bundle.",
    unknown: () => "The engine cannot work here.",
  };

  const badge = ({ class: kind, mark, text }) => make("span", `badge badge-${kind}`, `${mark} ${text}`);

  /** One stop of the list: label, how it is reached, name, and what a reader must know of it. */
  const stop = (position, how) => {
    const item = make("li", "", make("strong", "", data.labels[position]), " ", make("span", "how", how));
    if (data.deprecated.includes(position)) item.append(" ", badge({ class: "warning", mark: "▲", text: "deprecated" }));
    if (data.labels[position] !== data.names[position]) item.append(make("span", "second", data.names[position]));
    return item;
  };
  const step = (hop) => {
    const channelName = scope().channel === null && hop.channel !== null ? ` · channel ${hop.channel}` : "";
    const item = stop(hop.to, `${hop.via.join(", ")}${channelName}`);
    if (scope().down.some(([source, target]) => source === hop.from && target === hop.to)) {
      const text = `moves down: ${data.labels[hop.from]} → ${data.labels[hop.to]}`;
      item.querySelector(".how").after(" ", badge({ class: "warning", mark: "▲", text }));
    }
    return item;
  };

  /** The choice as the page's fragment, so that a link leads to the same path. */
  const remember = () => {
    const chosen = { engine: engine.value, channel: channel.selectedOptions[0]?.textContent ?? "" };
    if (from.value !== "") chosen.from = data.names[Number(from.value)];
    if (to.value !== "") chosen.to = data.names[Number(to.value)];
    history.replaceState(null, "", `#${new URLSearchParams(chosen)}`);
  };

  /** Takes the choice from the fragment; what it names and the page does not know is left out. */
  const recall = () => {
    const chosen = new URLSearchParams(location.hash.slice(1));
    const select = (element, text) => {
      const found = [...element.options].find((one) => one.textContent === text);
      if (found) element.value = found.value;
    };
    if (data.engines[Number(chosen.get("engine"))]) engine.value = String(Number(chosen.get("engine")));
    fillChannels();
    select(channel, chosen.get("channel"));
    fillNames();
    select(from, chosen.get("from"));
    select(to, chosen.get("to"));
  };

  const show = () => {
    const current = scope();
    to.disabled = from.value === "";
    if (from.value === "") {
      overlay.clear(map);
      result.replaceChildren(make("p", "", current?.error ?? "Choose the installed bundle to see where the engine goes."));
      return;
    }
    const start = Number(from.value);
    const target = to.value === "" ? null : Number(to.value);
    const answer = paths.answer(data, current, start, target === start ? null : target);
    const same = target === start;
    const hops = same ? [] : answer.hops;
    const fails = answer.kind === "walk" && hops.length === 0 && answer.status.class === "error";
    const kind = same ? "same" : fails ? "fails" : answer.kind;
    const parts = [make("p", "path-says", make("strong", "", SENTENCES[kind](hops.length)))];
    const first = stop(start, data.outside.includes(start) ? "installed · not in the catalog" : "installed");
    const list = make("ol", "steps", first, ...hops.map(step));
    list.start = 0;
    list.tabIndex = 0;
    list.setAttribute("aria-label", "Steps");
    parts.push(list);
    if (answer.status && kind !== "on-walk" && kind !== "same") {
      parts.push(make("p", "path-end", "On its own: ", badge(answer.status), answer.reason ? ` ${answer.reason}` : ""));
    } else if (!answer.status && answer.reason) {
      parts.push(make("p", "path-end", answer.reason));
    }
    result.replaceChildren(...parts);
    const drawn = overlay.draw(map, start, hops, data.names);
    const box = map.closest(".map-scroll");
    // A small map is drawn larger than its own units.
    const scale = map.getBoundingClientRect().width / map.viewBox.baseVal.width;
    if (drawn && (drawn.left * scale < box.scrollLeft || drawn.right * scale > box.scrollLeft + box.clientWidth)) {
      box.scrollLeft = Math.max((drawn.left - 40) * scale, 0);
    }
  };

  engine.replaceChildren(...data.engines.map((one, index) => option(String(index), one.label)));
  recall();
  const changed = () => { remember(); show(); };
  engine.addEventListener("change", () => { fillChannels(); fillNames(); changed(); });
  channel.addEventListener("change", () => { fillNames(); changed(); });
  from.addEventListener("change", changed);
  to.addEventListener("change", changed);
  chooser.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  chooser.hidden = false;
  // The newest bundles are what most readers come for.
  const box = map.closest(".map-scroll");
  box.scrollLeft = box.scrollWidth;
  show();
})();
