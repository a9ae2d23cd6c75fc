import { z } from 'zod';

export interface FieldNames {
  readonly known: Set<string>;
  readonly byFold: Map<string, string>;
  readonly inside: Map<string, FieldNames>;
  elements: FieldNames | null;
}

export type NameProblem =
  | { readonly kind: 'miscased'; readonly path: readonly PropertyKey[]; readonly meant: string }
  /** An object, possibly nested, contains the same field twice. */
  | { readonly kind: 'doubled' };

/**
 * Objects whose field names are chosen by the caller. The gateway's own fields in these objects are removed before
 * the request is sent.
 */
const ownNames: ReadonlySet<string> = new Set(['metadata']);

export function listFieldNames(
  schemas: readonly z.core.$ZodType[],
  spell: (name: string) => readonly string[] = () => [],
): FieldNames {
  const names = createNames();
  for (const schema of schemas) addNames(names, schema, spell);
  return names;
}

function createNames(): FieldNames {
  return { known: new Set(), byFold: new Map(), inside: new Map(), elements: null };
}

function addNames(
  names: FieldNames,
  schema: z.core.$ZodType,
  spell: (name: string) => readonly string[],
): void {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
      const inside = names.inside.getOrInsertComputed(name, createNames);
      for (const spelling of [name, ...spell(name)]) {
        names.known.add(spelling);
        names.byFold.set(fold(spelling), spelling);
        names.inside.set(spelling, inside);
      }
      if (!ownNames.has(name)) addNames(inside, field, spell);
    }
  } else if (schema instanceof z.ZodArray) {
    names.elements ??= createNames();
    addNames(names.elements, schema.element, spell);
  } else for (const inner of listInner(schema)) addNames(names, inner, spell);
}

function listInner(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out];
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch;
  return isWrapper ? [schema.unwrap()] : [];
}

/** Folds case like case-insensitive decoders, including Unicode: Go treats a long s (ſ) as an s. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/**
 * Finds names that programs read differently: providers written in Go accept `MAX_TOKENS` as `max_tokens`, and use
 * the last of duplicate fields. `members` is the number of fields in the body's bytes.
 */
export function findNameProblem(value: object, names: FieldNames, members: number): NameProblem | null {
  const walk = new NameWalk();
  walk.visit(value, names);
  if (walk.miscased) return { kind: 'miscased', ...walk.miscased };
  return walk.members < members ? { kind: 'doubled' } : null;
}

export function countMembers(value: unknown): number {
  const walk = new NameWalk();
  if (typeof value === 'object' && value !== null) walk.visit(value, null);
  return walk.members;
}

class NameWalk {
  members = 0;
  miscased: { readonly path: readonly PropertyKey[]; readonly meant: string } | null = null;
  readonly #path: PropertyKey[] = [];

  visit(value: object, names: FieldNames | null): void {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) this.#enter(index, value[index], names?.elements);
      return;
    }
    // `for...in` needs no filter, since the prototype has no enumerable names. `Object.entries` would take longer
    // than the rest of the function.
    for (const key in value) {
      this.members++;
      if (names && !names.known.has(key)) this.#compare(key, names);
      this.#enter(key, value[key as keyof typeof value], names?.inside.get(key));
    }
  }

  #enter(key: PropertyKey, part: unknown, names: FieldNames | null | undefined): void {
    if (typeof part !== 'object' || part === null) return;
    this.#path.push(key);
    this.visit(part, names ?? null);
    this.#path.pop();
  }

  #compare(key: string, { byFold }: FieldNames): void {
    const meant = byFold.get(fold(key));
    if (meant !== undefined) this.miscased ??= { path: [...this.#path, key], meant };
  }
}
