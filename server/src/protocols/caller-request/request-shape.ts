import { isObject } from '../json/json-value.ts';
import { formatPath } from './caller-body.ts';

type Path = readonly PropertyKey[];

/** What a value may hold: answers the path of the first thing in it that is not listed, `null` when all of it is. */
export type Shape = (value: unknown) => Path | null;

const here: Path = [];

/** Free text or JSON that a provider never reads as a name of something it keeps: schemas, arguments, signatures. */
export const anything: Shape = () => null;

/** A string, a number, true or false. */
export const scalar: Shape = (value) => (typeof value === 'object' ? here : null);

/** Nothing: for fields that may stand there empty. */
export const nothing: Shape = () => here;

export function matching(pattern: RegExp): Shape {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : here);
}

/** One of a vendor's own words, such as `web-search`; ids hold digits or underscores. */
export const word = matching(/^[A-Za-z]+(-[A-Za-z]+)*$/);

/** Where anybody may read it, or the bytes themselves. */
export const address = matching(/^(data:|https?:\/\/)/i);

export function scalarOr(shape: Shape): Shape {
  return (value) => (typeof value === 'object' ? shape(value) : null);
}

/** Fields of one shape, by their names in one text. */
export function each(names: string, shape: Shape = scalar): Record<string, Shape> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));
}

/** No other fields than these, spelled exactly so; one that is `null` says nothing. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const known = new Map(Object.entries(fields));
  return (value) => (isObject(value) ? findInFields(value, (name) => known.get(name) ?? nothing) : here);
}

/** The caller's own names, such as labels. */
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

/** An object whose field `type` says what else it holds; `untyped` is for those that leave it out. */
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

/** For shapes that hold themselves. */
export function lazily(find: () => Shape): Shape {
  return (value) => find()(value);
}

/** The first field of a request that is not listed, as refusals name it. */
export function findUnlisted(request: unknown, shape: Shape): string | null {
  const path = shape(request);
  return path && formatPath(path);
}
