import { isObject } from '../json/json-value.ts';
import { formatPath } from './caller-body.ts';

type Path = readonly PropertyKey[];

/** Returns the path of the first thing in a value that is not allowed; `null` if everything is. */
export type Shape = (value: unknown) => Path | null;

const here: Path = [];

/** Free text or JSON in which providers do not look up stored objects: schemas, arguments, signatures. */
export const anything: Shape = () => null;

/** A string, a number or a boolean. */
export const scalar: Shape = (value) => (typeof value === 'object' ? here : null);

/** Only an empty value, for fields that may be present but unset. */
export const nothing: Shape = () => here;

export function matching(pattern: RegExp): Shape {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : here);
}

/** A vendor keyword such as `web-search`; ids contain digits or underscores. */
export const word = matching(/^[A-Za-z]+(-[A-Za-z]+)*$/);

/** A public URL, or the bytes themselves as a data URL. */
export const address = matching(/^(data:|https?:\/\/)/i);

export function scalarOr(shape: Shape): Shape {
  return (value) => (typeof value === 'object' ? shape(value) : null);
}

/** Assigns one shape to the fields named in a space-separated list. */
export function each(names: string, shape: Shape = scalar): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));
}

/** An object with these exact fields only; a field that is `null` counts as absent. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const known = new Map(Object.entries(fields));
  return (value) => (isObject(value) ? findInFields(value, (name) => known.get(name) ?? nothing) : here);
}

/** An object with names chosen by the caller, such as labels. */
export function mapOf(shape: Shape): Shape {
  return (value) => (isObject(value) ? findInFields(value, () => shape) : here);
}

function findInFields(value: object, shapeOf: (name: string) => Shape): Path | null {
  for (const [name, held] of Object.entries(value)) {
    const path = held === null ? null : shapeOf(name)(held);
    if (path) return [name, ...path];
  }
  return null;
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return here;
    for (const [index, held] of value.entries()) {
      const path = held === null ? null : shape(held);
      if (path) return [index, ...path];
    }
    return null;
  };
}

/** An object whose `type` selects its shape; `untyped` is for objects without a type. */
export function byType(shapes: Readonly<Record<string, Shape>>, untyped: Shape = nothing): Shape {
  const known = new Map(Object.entries(shapes));
  return (value) => {
    if (!isObject(value)) return here;
    const type = 'type' in value ? value.type : null;
    if (type === null) return untyped(value);
    const shape = typeof type === 'string' ? known.get(type) : undefined;
    return shape ? shape(value) : ['type'];
  };
}

/** Defers a shape, for shapes that contain themselves. */
export function lazily(find: () => Shape): Shape {
  return (value) => find()(value);
}

/** Returns the first field of a request that is not allowed, formatted for error messages. */
export function findUnlisted(request: unknown, shape: Shape): string | null {
  const path = shape(request);
  return path && formatPath(path);
}
