import { isObject } from '#json/json-value.ts';
import { formatPath } from './caller-body.ts';

type Path = readonly PropertyKey[];

/** Returns the path of the first disallowed part of a value, or `null` if all parts are allowed. */
export interface Shape {
  (value: unknown): Path | null;
  /** Allowed contents of the value; absent if the value is checked as a whole. */
  readonly inside?: Inside;
}

/** Contents of a value: named fields, any number of members, or one of several shapes. */
export type Inside =
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'members'; readonly of: Shape; readonly isNamed: boolean }
  /** `pick` returns one of the options, or `null` for values without a known shape. */
  | {
      readonly kind: 'choice';
      readonly pick: (value: unknown) => Shape | null;
      readonly options: () => readonly Shape[];
    };

const here: Path = [];

/** Free text or JSON in which providers do not look up stored objects: schemas, arguments, signatures. */
export const anything: Shape = () => null;

export const scalar: Shape = (value) => (typeof value === 'object' ? here : null);

/** Accepts no value, so a field with this shape may only be `null`. */
export const nothing: Shape = () => here;

export function matching(pattern: RegExp): Shape {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : here);
}

/** Vendor keyword such as `web-search`. Ids contain digits or underscores, so they do not match. */
export const word = matching(/^[A-Za-z]+(-[A-Za-z]+)*$/);

/** Public URL, or a data URL with the bytes themselves. */
export const address = matching(/^(data:|https?:\/\/)/i);

export function choose(pick: (value: unknown) => Shape, options: () => readonly Shape[]): Shape {
  const inside = { kind: 'choice', pick, options } as const;
  return Object.assign((value: unknown) => pick(value)(value), { inside });
}

export function scalarOr(shape: Shape): Shape {
  return choose(
    (value) => (typeof value === 'object' ? shape : anything),
    () => [shape],
  );
}

/** Assigns one shape to the fields named in a space-separated list. */
export function each(names: string, shape: Shape = scalar): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));
}

/** A field that is `null` counts as absent. */
export function object(shapes: Readonly<Record<string, Shape>>): Shape {
  const fields = new Map(Object.entries(shapes));
  const find = (value: unknown) =>
    isObject(value) ? findInFields(value, (name) => fields.get(name) ?? nothing) : here;
  return Object.assign(find, { inside: { kind: 'fields', fields } } as const);
}

/** Object with field names chosen by the caller, such as labels. */
export function mapOf(shape: Shape): Shape {
  const find = (value: unknown) => (isObject(value) ? findInFields(value, () => shape) : here);
  return Object.assign(find, { inside: { kind: 'members', of: shape, isNamed: true } } as const);
}

function findInFields(value: object, shapeOf: (name: string) => Shape): Path | null {
  for (const [name, held] of Object.entries(value)) {
    const path = held === null ? null : shapeOf(name)(held);
    if (path) return [name, ...path];
  }
  return null;
}

export function listOf(shape: Shape): Shape {
  const find = (value: unknown): Path | null => {
    if (!Array.isArray(value)) return here;
    for (const [index, held] of value.entries()) {
      const path = held === null ? null : shape(held);
      if (path) return [index, ...path];
    }
    return null;
  };
  return Object.assign(find, { inside: { kind: 'members', of: shape, isNamed: false } } as const);
}

/** Object whose `type` selects the shape. `untyped` applies to objects without a type. */
export function byType(shapes: Readonly<Record<string, Shape>>, untyped: Shape = nothing): Shape {
  return byField('type', shapes, untyped);
}

/** Object in which the word in one field selects the shape. `otherwise` applies to objects without that field. */
export function byField(
  name: string,
  shapes: Readonly<Record<string, Shape>>,
  otherwise: Shape = nothing,
): Shape {
  const known = new Map(Object.entries(shapes));
  const pick = (value: unknown): Shape | null => {
    if (!isObject(value)) return null;
    const chosen: unknown = Reflect.get(value, name);
    if (chosen == null) return otherwise;
    return typeof chosen === 'string' ? (known.get(chosen) ?? null) : null;
  };
  const find = (value: unknown): Path | null => {
    if (!isObject(value)) return here;
    const shape = pick(value);
    return shape ? shape(value) : [name];
  };
  const options = () => [...known.values(), otherwise];
  return Object.assign(find, { inside: { kind: 'choice', pick, options } } as const);
}

/** Defers a shape, so that shapes can be recursive. */
export function lazily(find: () => Shape): Shape {
  return choose(find, () => [find()]);
}

export function findUnlisted(request: unknown, shape: Shape): string | null {
  const path = shape(request);
  return path && formatPath(path);
}

/**
 * Returns the names of all request fields that a shape does not list, without indexes, such as
 * `messages.content.cache_control`. Omits fields that are `null`, `false` or empty, and unknown types.
 */
export function listUnlisted(request: object, shape: Shape): string[] {
  const found = new Set<string>();
  collect(request, shape, '', found);
  return [...found];
}

function collect(value: unknown, shape: Shape, path: string, found: Set<string>): void {
  const { inside } = shape;
  if (isUnset(value) || !inside) return;
  if (inside.kind === 'choice') {
    const picked = inside.pick(value);
    if (picked) collect(value, picked, path, found);
  } else if (inside.kind === 'members') {
    if (typeof value === 'object' && value !== null)
      for (const held of Object.values(value)) collect(held, inside.of, path, found);
  } else if (isObject(value)) {
    for (const [name, held] of Object.entries(value)) {
      const known = inside.fields.get(name);
      const place = path === '' ? name : `${path}.${name}`;
      if (known) collect(held, known, place, found);
      else if (!isUnset(held)) found.add(place);
    }
  }
}

function isUnset(value: unknown): boolean {
  if (value == null || value === false || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
