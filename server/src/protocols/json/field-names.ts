import { z } from 'zod';

/** The fields that the gate reads of an object, and of what is inside them; of a list, those of its elements. */
export interface FieldNames {
  readonly known: Set<string>;
  /** By their form without regard to case. */
  readonly byFold: Map<string, string>;
  readonly inside: Map<string, FieldNames>;
  elements: FieldNames | null;
}

/** What is wrong with the names of a body's fields. */
export type NameProblem =
  | { readonly kind: 'miscased'; readonly path: readonly PropertyKey[]; readonly meant: string }
  /** Some object, here or inside, names a field twice. */
  | { readonly kind: 'doubled' };

/** The caller's own, whatever they call them; what is ours in there leaves before a provider sees it. */
const ownNames: ReadonlySet<string> = new Set(['metadata']);

/** All names that any of these schemas of one body knows; `spell` gives the other ways of writing one. */
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

/** As a decoder compares names that ignores case, also those of Unicode: Go's takes a long s for an s. */
function fold(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/**
 * Looks for names that one program reads as another does not: a provider written in Go takes `MAX_TOKENS` for
 * `max_tokens`, and of two the last. `members` is how many fields the body's bytes have.
 */
export function findNameProblem(value: object, names: FieldNames, members: number): NameProblem | null {
  const walk = new NameWalk();
  walk.visit(value, names);
  if (walk.miscased) return { kind: 'miscased', ...walk.miscased };
  return walk.members < members ? { kind: 'doubled' } : null;
}

/** How many fields a parsed value has, those of its parts included. */
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
    // Its prototype has no names to list, and a list of pairs would cost more than all else here.
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
