import { isObject } from '#json/json-value.ts';
import type { Shape } from '#protocols/caller-request/request-shape.ts';

export interface FieldPair {
  /** Field path without indexes, such as `messages.content.cache_control`. */
  readonly field: string;
  /**
   * Names of the objects around the field, with and without their type. A warning with one of these names covers the
   * field.
   */
  readonly holders: readonly string[];
  readonly withField: object;
  readonly withoutField: object;
}

/** Values for a field by name, used if those of `anyValues` are invalid or mean the default. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  cache_control: [{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }],
  detail: ['low', 'high'],
  display: ['summarized', 'omitted'],
  effort: ['low', 'xhigh'],
  reasoning_effort: ['low', 'xhigh'],
  thinkingLevel: ['LOW'],
  exclude: [true],
  temperature: [0.3],
  top_p: [0.3],
  topP: [0.3],
  seed: [7],
  random_seed: [7],
  is_error: [true],
  name: ['ann'],
  input_type: ['search_query', 'classification', 'x'],
  truncate: ['END', 'x', true],
  ttl: ['1h'],
  namespace: [],
};
const anyValues: readonly unknown[] = ['x', 2, true, { x: 1 }, ['x'], [{ x: 1 }]];

export const unknownName = 'x_unknown';

type Rebuild = (value: unknown) => unknown;

export function collectPairs(
  request: object,
  shape: Shape,
  found: Map<string, FieldPair[]>,
  visited: Set<Shape>,
): void {
  walk(request, shape, [], (value) => value);

  function walk(value: unknown, at: Shape, holders: readonly string[], rebuild: Rebuild): void {
    const { inside } = at;
    if (!inside || typeof value !== 'object' || value === null) return;
    if (inside.kind === 'choice') {
      const picked = inside.pick(value);
      if (picked) walk(value, picked, holders, rebuild);
    } else if (inside.kind === 'members') {
      for (const [key, held] of Object.entries(value))
        walk(held, inside.of, holders, (changed) =>
          rebuild(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }),
        );
    } else if (isObject(value)) {
      visited.add(at);
      const names = new Set([...inside.fields.keys(), ...Object.keys(value), unknownName]);
      const path = holders.at(-1);
      const kind = path === undefined ? '' : readKind(value);
      const within = kind === '' ? holders : [`${path}.${kind}`, ...holders];
      for (const name of names)
        if (!discriminators.has(name))
          tryField({ holder: value, name, within, rebuild, shape: inside.fields.get(name) });
    }
  }

  function tryField(place: Place): void {
    const { holder, name, within, shape, rebuild } = place;
    const path = within.at(-1);
    const field = path === undefined ? name : `${path}.${name}`;
    const held: unknown = Reflect.get(holder, name);
    const key = `${field}/${readKind(holder)}/${held === undefined ? 'new' : 'given'}`;
    if (!found.has(key)) found.set(key, listPairs(place, field));
    if (shape && held !== undefined)
      walk(held, shape, [...within, field], (changed) => rebuild({ ...holder, [name]: changed }));
  }
}

/** Fields that select the shape of their object. Without them, the object has a different shape. */
const discriminators: ReadonlySet<string> = new Set(['type', 'role']);

interface Place {
  readonly holder: object;
  readonly name: string;
  readonly within: readonly string[];
  readonly rebuild: Rebuild;
  readonly shape: Shape | undefined;
}

function readKind(holder: object): string {
  const kind: unknown = Reflect.get(holder, 'type') ?? Reflect.get(holder, 'role');
  return typeof kind === 'string' ? kind : '';
}

function listPairs({ holder, name, within, rebuild }: Place, field: string): FieldPair[] {
  const { [name]: held, ...others }: Record<string, unknown> = { ...holder };
  // safe because rebuilding a request returns an object
  const withoutField = rebuild(others) as object;
  const tried = held === undefined ? (Object.hasOwn(values, name) ? values[name] : anyValues) : [held];
  return (tried ?? []).map((value) => ({
    field,
    holders: within,
    // safe as above
    withField: rebuild({ ...holder, [name]: value }) as object,
    withoutField,
  }));
}

export function listObjectShapes(
  shape: Shape,
  known = new Set<Shape>(),
  seen = new Set<Shape>(),
): Set<Shape> {
  if (seen.has(shape)) return known;
  seen.add(shape);
  const { inside } = shape;
  if (inside?.kind === 'fields') known.add(shape);
  const held =
    inside?.kind === 'fields'
      ? [...inside.fields.values()]
      : inside?.kind === 'members'
        ? [inside.of]
        : (inside?.options() ?? []);
  for (const part of held) listObjectShapes(part, known, seen);
  return known;
}
