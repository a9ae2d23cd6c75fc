/** Which fields the objects at one place may have, and which all of them have. */
interface Shape {
  required: Set<string>;
  known: Set<string>;
}

export type Shapes = Map<string, Shape>;

// What stands below these is a client's or a schema's own, so it has no shape of the protocol.
const opaque = new Set(['input', 'args', 'arguments', 'parameters', 'schema', 'metadata', 'input_schema']);

/** Learns from recorded values what a protocol's objects look like at each place, told apart by their `type`. */
export function learnShapes(values: readonly unknown[]): Shapes {
  const shapes: Shapes = new Map();
  for (const value of values) {
    visitObjects(value, '', (place, names) => {
      const shape = shapes.get(place);
      if (!shape) {
        shapes.set(place, { required: new Set(names), known: new Set(names) });
        return;
      }
      shape.required = shape.required.intersection(new Set(names));
      for (const name of names) shape.known.add(name);
    });
  }
  return shapes;
}

/** Where values differ from the learned shapes: fields that nobody has seen, and missing ones that all others have. */
export function findDifferences(values: readonly unknown[], shapes: Shapes): string[] {
  const differences = new Set<string>();
  for (const value of values) {
    visitObjects(value, '', (place, names) => {
      const shape = shapes.get(place);
      if (!shape) {
        differences.add(`${place} is not known`);
        return;
      }
      const given = new Set(names);
      for (const name of given.difference(shape.known)) differences.add(`${place}.${name} is not known`);
      for (const name of shape.required.difference(given)) differences.add(`${place}.${name} is missing`);
    });
  }
  return [...differences];
}

/** The pairs of kinds that follow each other, runs of one kind folded. */
export function successions(kinds: readonly string[]): string[] {
  const folded = ['start', ...kinds, 'end'].filter((kind, index, all) => kind !== all[index - 1]);
  return folded.slice(1).map((kind, index) => `${folded[index]} > ${kind}`);
}

function visitObjects(value: unknown, place: string, visit: (place: string, names: string[]) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visitObjects(item, `${place}[]`, visit);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const tag = 'type' in value && typeof value.type === 'string' ? `<${value.type}>` : '';
  visit(place + tag, Object.keys(value));
  for (const [name, inner] of Object.entries(value)) {
    if (!opaque.has(name)) visitObjects(inner, `${place}${tag}.${name}`, visit);
  }
}
