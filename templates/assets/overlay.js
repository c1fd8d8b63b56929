// The overlay: draws a chosen path above the route map. The map's classes and attributes are described where it is drawn.
const overlay = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const element = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  /** Members of a fold, written like "3,5-9". */
  const members = (text) => text.split(",").filter(Boolean).map((part) => part.split("-").map(Number));
  const holds = (ranges, position) => ranges.some(([first, last = first]) => position >= first && position <= last);

  /** The lanes of a map: where each stands, its stations and folds. */
  const lanesOf = (map) => [...map.querySelectorAll(".rm-lane")].map((lane) => ({
    channel: lane.dataset.channel,
    y: Number(lane.dataset.y),
    stations: new Map([...lane.querySelectorAll("[data-name]")].map((station) => [Number(station.dataset.name), station])),
    folds: [...lane.querySelectorAll("[data-members]")].map((fold) => ({ fold, ranges: members(fold.dataset.members) })),
  }));

  const placeIn = (lane, position) => {
    const station = lane.stations.get(position);
    if (station) return { x: Number(station.dataset.x), y: lane.y, mark: station, fold: null, position };
    const found = lane.folds.find(({ ranges }) => holds(ranges, position));
    if (!found) return null;
    return { x: Number(found.fold.dataset.x), y: lane.y, mark: found.fold, fold: found.fold, position };
  };

  /** Where a stop stands: in the lane of its channel, else in the first lane that shows it. */
  const placeOf = (lanes, channel, position) => {
    const own = lanes.filter((lane) => lane.channel === channel);
    for (const lane of [...own, ...lanes]) {
      const place = placeIn(lane, position);
      if (place) return place;
    }
    return null;
  };

  /** Spreads the stops that share a fold over the fold's room, in version order. */
  const spreadFolds = (places) => {
    const byFold = new Map();
    for (const place of places) {
      if (place.fold) byFold.set(place.fold, [...(byFold.get(place.fold) ?? []), place]);
    }
    for (const [fold, inside] of byFold) {
      const order = [...new Set(inside.map((place) => place.position))].sort((one, other) => one - other);
      const left = Number(fold.dataset.left);
      const room = Number(fold.dataset.right) - left;
      for (const place of inside) {
        place.x = order.length === 1 ? left + room / 2 : left + (room * order.indexOf(place.position)) / (order.length - 1);
      }
    }
  };

  /** Whether a lane shows something between two places of it. */
  const passes = (lanes, from, to) => lanes.some((lane) => lane.y === to.y &&
    [...lane.stations.values(), ...lane.folds.map(({ fold }) => fold)].some((mark) => {
      const x = Number(mark.dataset.x);
      return mark !== from.mark && mark !== to.mark && x > Math.min(from.x, to.x) && x < Math.max(from.x, to.x);
    }));

  /** A hop: straight to a neighbour, in a bow over what lies between. */
  const hopTo = (lanes, from, to) => {
    const wide = Math.abs(to.x - from.x);
    if (wide < 1 || !passes(lanes, from, to)) return `L${to.x} ${to.y}`;
    const top = to.y - Math.min(16 + wide / 16, 34);
    const bend = Math.min(wide / 2, 24) * Math.sign(to.x - from.x);
    return `Q${from.x} ${top} ${from.x + bend} ${top}L${to.x - bend} ${top}Q${to.x} ${top} ${to.x} ${to.y}`;
  };

  /** The stops as circles with their number; as dots where they stand too close for numbers. */
  const drawStops = (layer, stops, labels) => {
    const close = (one, other) => one !== other && one.y === other.y && Math.abs(one.x - other.x) < 19;
    stops.forEach((stop, index) => {
      const crowded = stops.some((other) => close(stop, other));
      const group = element("g", { class: "rm-path-stop" });
      const title = element("title", {});
      title.textContent = labels[stop.position];
      group.append(title, element("circle", { cx: stop.x, cy: stop.y, r: crowded ? 4 : 8.5 }));
      if (!crowded) {
        const number = element("text", { x: stop.x, y: stop.y + 3.5 });
        number.textContent = String(index);
        group.append(number);
      }
      layer.append(group);
    });
  };

  const clear = (map) => {
    map.querySelector(".rm-overlay").replaceChildren();
    map.classList.remove("rm-has-path");
    map.querySelectorAll(".rm-on-path").forEach((mark) => mark.classList.remove("rm-on-path"));
  };

  /** Draws the hops of a path; `start` is shown alone where there are none. */
  const draw = (map, start, hops, labels) => {
    clear(map);
    const lanes = lanesOf(map);
    const channel = hops.length > 0 ? hops[0].channel : null;
    const segments = hops
      .map((hop) => [placeOf(lanes, hop.channel, hop.from), placeOf(lanes, hop.channel, hop.to)])
      .filter(([from, to]) => from && to);
    const places = segments.flat();
    if (segments.length === 0) {
      const alone = placeOf(lanes, channel, start);
      if (alone) places.push(alone);
    }
    if (places.length === 0) return null;
    spreadFolds(places);

    const layer = map.querySelector(".rm-overlay");
    let path = "";
    segments.forEach(([from, to], index) => {
      path += `${index === 0 ? "M" : "L"}${from.x} ${from.y}${hopTo(lanes, from, to)}`;
    });
    if (path) {
      layer.append(element("path", { class: "rm-path-ground", d: path }), element("path", { class: "rm-path", d: path }));
    }
    const stops = segments.length > 0 ? [segments[0][0], ...segments.map(([, to]) => to)] : places;
    drawStops(layer, stops, labels);
    places.forEach((place) => place.mark.classList.add("rm-on-path"));
    map.classList.add("rm-has-path");
    return { left: Math.min(...stops.map((stop) => stop.x)), right: Math.max(...stops.map((stop) => stop.x)) };
  };

  return { draw, clear };
})();
