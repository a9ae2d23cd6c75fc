/** Fields that objects at a path may have, and fields that all of them have. */
interface Shape {
  required: Set<string>;
  known: Set<string>;
}

export type Shapes = Map<string, Shape>;

// Fields whose values come from a client or a schema, so they have no protocol shape.
const opaque = new Set(['input', 'args', 'arguments', 'parameters', 'schema', 'metadata', 'input_schema']);

/** Derives the shapes of a protocol's objects from recorded values, by path and `type`. */
export function deriveShapes(values: readonly unknown[]): Shapes {
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

/** Returns how values differ from the derived shapes: unknown fields and missing required fields. */
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

/** Returns each pair of successive kinds, such as `start > text`. A repeated kind counts once. */
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
