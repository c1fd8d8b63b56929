// Paths: answers "how does this bundle get to that one" from the page's data block. All names are positions in `data.names`.
const paths = (() => {
  const KINDS = ["replaces", "skips", "skipRange"];

  /** A flat list of runs (first, length, …) as a list of positions. */
  const spread = (runs) => {
    const positions = [];
    for (let at = 0; at < runs.length; at += 2) {
      for (let step = 0; step < runs[at + 1]; step += 1) positions.push(runs[at] + step);
    }
    return positions;
  };

  const within = (runs, position) => {
    for (let at = 0; at < runs.length; at += 2) {
      if (position >= runs[at] && position < runs[at] + runs[at + 1]) return true;
    }
    return false;
  };

  const walkFrom = (scope, from) => {
    const found = scope.walks.find((walk) => walk[0] === from);
    if (!found) {
      const others = scope.others.find(([, , names]) => within(names, from));
      return others ? { next: null, status: others[0], reason: others[1], reach: null } : null;
    }
    const [, next, status, reason, reach] = found;
    return { next, status, reason, reach };
  };

  /** The engine's whole walk: each first step followed by the walk from there, until it stays or comes back. */
  const wholeWalk = (scope, from) => {
    if (scope.paths[from]) return scope.paths[from];
    const nextOf = new Map(scope.walks.map((walk) => [walk[0], walk[1]]));
    const path = [];
    for (let here = from; ;) {
      const next = nextOf.get(here);
      if (next === null || next === undefined || next === from || path.includes(next)) return path;
      path.push(next);
      here = next;
    }
  };

  /** Channel and kinds of the edge of a hop; the first channel that has one. */
  const edgeOf = (channels, from, to) => {
    for (const channel of channels) {
      const via = channel.edges
        .filter(([target, , sources]) => target === to && within(sources, from))
        .flatMap(([, kinds]) => KINDS.filter((_, bit) => kinds & (1 << bit)));
      if (via.length > 0) return { channel: channel.name, via };
    }
    return { channel: null, via: [] };
  };

  /** The shortest path over edges that stay among what `from` can reach; null where there is none. */
  const shortest = (channels, allowed, from, to) => {
    const before = new Map([[from, null]]);
    let frontier = [from];
    while (frontier.length > 0 && !before.has(to)) {
      const following = [];
      for (const here of frontier) {
        for (const channel of channels) {
          for (const [target, , sources] of channel.edges) {
            if (before.has(target) || !within(allowed, target) || !within(sources, here)) continue;
            before.set(target, here);
            following.push(target);
          }
        }
      }
      frontier = following;
    }
    if (!before.has(to)) return null;
    const path = [];
    for (let here = to; here !== from; here = before.get(here)) path.unshift(here);
    return path;
  };

  /**
   * The answer for one installed bundle and a wanted one, or null for "where the engine goes":
   * kind is "walk", "on-walk", "possible", "impossible" or "unknown".
   */
  const answer = (data, scope, from, to) => {
    const channels = scope.channel === null ? data.channels : data.channels.filter(({ name }) => name === scope.channel);
    const walk = walkFrom(scope, from);
    if (!walk) return { kind: "unknown", hops: [], status: null, reason: scope.error ?? "" };
    const whole = wholeWalk(scope, from);
    const reaches = data.reaches[walk.reach] ?? [];
    let kind = "walk";
    let stops = whole;
    if (to !== null) {
      const legal = whole.includes(to) || !within(reaches, to) ? null : shortest(channels, reaches, from, to);
      kind = whole.includes(to) ? "on-walk" : legal ? "possible" : "impossible";
      stops = kind === "on-walk" ? whole.slice(0, whole.indexOf(to) + 1) : legal ?? [];
    }
    const hops = stops.map((stop, index) => {
      const before = index === 0 ? from : stops[index - 1];
      return { from: before, to: stop, ...edgeOf(channels, before, stop) };
    });
    return { kind, hops, status: data.statuses[walk.status], reason: data.reasons[walk.reason], next: walk.next };
  };

  return { answer, spread, within, walkFrom };
})();
