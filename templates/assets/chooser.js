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
    const installed = (scope()?.walks ?? []).map(([name]) => name);
    fill(from, [...installed].reverse().map((name) => option(String(name), data.names[name])), String(installed[0] ?? ""));
    const all = data.names.map((name, index) => option(String(index), name)).reverse();
    fill(to, [option("", "where the engine goes"), ...all], "");
  };

  const SENTENCES = {
    walk: (steps) => (steps === 0 ? "It stays where it is." : `The engine goes ${steps === 1 ? "one step" : `${steps} steps`} on its own.`),
    "on-walk": (steps) => `The engine gets there on its own, in ${steps === 1 ? "one step" : `${steps} steps`}.`,
    possible: (steps) => `The engine does not go there on its own. The shortest legal path has ${steps === 1 ? "one step" : `${steps} steps`}; someone must hold the engine to it.`,
    impossible: () => "No sequence of legal edges leads there.",
    same: () => "That is the installed bundle.",
    unknown: () => "The engine cannot work here.",
  };

  const step = (hop) => {
    const item = make("li", "", make("strong", "", data.labels[hop.to]), make("span", "second", data.names[hop.to]));
    const how = [hop.via.join(", "), hop.channel ? `channel ${hop.channel}` : ""].filter(Boolean).join(" · ");
    item.append(make("span", "second", how));
    if (data.deprecated.includes(hop.to)) item.append(make("span", "badge badge-warning", "▲ deprecated"));
    return item;
  };

  const show = () => {
    const current = scope();
    if (!current || from.value === "") {
      overlay.clear(map);
      result.replaceChildren(make("p", "", current?.error ?? "There is nothing to choose from."));
      return;
    }
    const start = Number(from.value);
    const target = to.value === "" ? null : Number(to.value);
    const answer = paths.answer(data, current, start, target === start ? null : target);
    const same = target === start;
    const hops = same ? [] : answer.hops;
    const kind = same ? "same" : answer.kind;
    const parts = [make("p", "path-says", make("strong", "", SENTENCES[kind](hops.length)))];
    const first = make("li", "path-start", make("strong", "", data.labels[start]), make("span", "second", data.names[start]), make("span", "second", "installed"));
    if (data.outside.includes(start)) first.append(make("span", "second", "not in the catalog"));
    const list = make("ol", "steps", first, ...hops.map(step));
    list.start = 0;
    parts.push(list);
    if (answer.status && kind !== "on-walk" && kind !== "same") {
      const badge = make("span", `badge badge-${answer.status.class}`, `${answer.status.mark} ${answer.status.text}`);
      parts.push(make("p", "path-end", "On its own: ", badge, answer.reason ? ` ${answer.reason}` : ""));
    } else if (!answer.status && answer.reason) {
      parts.push(make("p", "path-end", answer.reason));
    }
    result.replaceChildren(...parts);
    const drawn = overlay.draw(map, start, hops, data.names);
    const box = map.closest(".map-scroll");
    if (drawn && (drawn.left < box.scrollLeft || drawn.right > box.scrollLeft + box.clientWidth)) {
      box.scrollLeft = Math.max(drawn.left - 40, 0);
    }
  };

  engine.replaceChildren(...data.engines.map((one, index) => option(String(index), one.label)));
  engine.value = "0";
  fillChannels();
  fillNames();
  engine.addEventListener("change", () => { fillChannels(); fillNames(); show(); });
  channel.addEventListener("change", () => { fillNames(); show(); });
  from.addEventListener("change", show);
  to.addEventListener("change", show);
  chooser.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  chooser.hidden = false;
  show();
})();
