// The places of boxes: layers from left to right, with few crossings.

const gapAcross = 90;
const gapDown = 26;
/** A layer that would be higher is put into several columns. */
const leastHeight = 1000;
const sweeps = 8;

/**
 * Returns the places of boxes by their ids. boxes: `{id, width, height, side}`, with "left" or
 * "right" as side for those outside; edges: `{from, to}`, the ids of boxes.
 */
export function layout(boxes, edges) {
  const known = new Map(boxes.map((box) => [box.id, box]));
  const ends = [...new Set(edges.map(({ from, to }) => JSON.stringify([from, to])))].map((text) => JSON.parse(text))
    .filter(([from, to]) => from !== to && known.has(from) && known.has(to));
  const connected = new Set(ends.flat());
  const inside = boxes.filter(({ id, side }) => side || connected.has(id));
  const layers = order(layersOf(inside, ends), ends);
  const places = new Map();
  const total = inside.reduce((sum, { height }) => sum + height + gapDown, 0);
  const highest = Math.max(leastHeight, Math.sqrt(total * 250));
  let x = 0;
  for (const layer of layers) {
    for (const column of columns(layer, highest)) {
      let y = -(column.reduce((sum, { height }) => sum + height + gapDown, -gapDown)) / 2;
      for (const { id, height } of column) {
        places.set(id, { x, y });
        y += height + gapDown;
      }
      x += Math.max(...column.map(({ width }) => width)) + gapAcross;
    }
  }
  putBelow(boxes.filter(({ id }) => !places.has(id)), places, known, x);
  const top = Math.min(0, ...[...places.values()].map(({ y }) => y));
  for (const place of places.values()) place.y -= top;
  return places;
}

/** The boxes by the longest path from a source. Edges that would close a circle do not count. */
function layersOf(boxes, ends) {
  const next = new Map(boxes.map(({ id }) => [id, []]));
  const hasInput = new Set();
  for (const [from, to] of ends) {
    next.get(from).push(to);
    hasInput.add(to);
  }
  // Sources first: a circle is then cut where the signal comes back.
  const starts = [...boxes.filter(({ id }) => !hasInput.has(id)), ...boxes.filter(({ id }) => hasInput.has(id))];
  const done = new Set();
  const open = new Set();
  const backwards = new Set();
  const sorted = [];
  for (const { id } of starts) {
    if (done.has(id)) continue;
    const path = [[id, 0]];
    open.add(id);
    while (path.length > 0) {
      const step = path.at(-1);
      const to = next.get(step[0])[step[1]++];
      if (to === undefined) {
        path.pop();
        open.delete(step[0]);
        done.add(step[0]);
        sorted.unshift(step[0]);
      } else if (open.has(to)) {
        backwards.add(JSON.stringify([step[0], to]));
      } else if (!done.has(to)) {
        open.add(to);
        path.push([to, 0]);
      }
    }
  }
  const left = boxes.some(({ side }) => side === "left") ? 1 : 0;
  const side = new Map(boxes.map((box) => [box.id, box.side]));
  const depth = new Map();
  for (const id of sorted) {
    if (side.get(id) === "left") depth.set(id, 0);
    else if (!depth.has(id)) depth.set(id, left);
    for (const to of next.get(id)) {
      if (backwards.has(JSON.stringify([id, to]))) continue;
      depth.set(to, Math.max(depth.get(to) ?? left, depth.get(id) + 1));
    }
  }
  const last = Math.max(0, ...boxes.filter(({ side }) => side !== "right").map(({ id }) => depth.get(id)));
  const layers = [];
  for (const box of boxes) {
    const number = box.side === "right" ? last + 1 : depth.get(box.id);
    (layers[number] ??= []).push(box);
  }
  return layers.filter((layer) => layer !== undefined);
}

/** Orders each layer by the mean place of the neighbours, from left and from right in turns. */
function order(layers, ends) {
  const layerOf = new Map(layers.flatMap((layer, number) => layer.map(({ id }) => [id, number])));
  const neighbours = new Map([...layerOf.keys()].map((id) => [id, []]));
  for (const [from, to] of ends) {
    neighbours.get(from).push(to);
    neighbours.get(to).push(from);
  }
  const place = new Map();
  const note = (layer) => layer.forEach(({ id }, index) => place.set(id, (index + 0.5) / layer.length));
  layers.forEach(note);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForwards = sweep % 2 === 0;
    for (const layer of isForwards ? layers : [...layers].reverse()) {
      const centre = new Map(layer.map(({ id }) => {
        const own = layerOf.get(id);
        const known = neighbours.get(id).filter((one) => isForwards ? layerOf.get(one) < own : layerOf.get(one) > own);
        const sum = known.reduce((total, one) => total + place.get(one), 0);
        return [id, known.length > 0 ? sum / known.length : place.get(id)];
      }));
      layer.sort((one, other) => centre.get(one.id) - centre.get(other.id));
      note(layer);
    }
  }
  return layers;
}

function columns(layer, highest) {
  const result = [[]];
  let height = 0;
  for (const box of layer) {
    if (height > 0 && height + box.height > highest) {
      result.push([]);
      height = 0;
    }
    result.at(-1).push(box);
    height += box.height + gapDown;
  }
  return result;
}

/** Boxes without connections stand in rows below the others. */
function putBelow(rest, places, known, width) {
  if (rest.length === 0) return;
  let y = Math.max(0, ...[...places].map(([id, place]) => place.y + known.get(id).height + 2 * gapDown));
  const widest = Math.max(width, Math.sqrt(rest.length) * 320);
  let [x, height] = [0, 0];
  for (const box of rest) {
    if (x > 0 && x + box.width > widest) {
      y += height + gapDown;
      [x, height] = [0, 0];
    }
    places.set(box.id, { x, y });
    x += box.width + gapDown;
    height = Math.max(height, box.height);
  }
}
