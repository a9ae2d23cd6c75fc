import { z } from 'zod';

/**
 * Returns a schema whose fields callers may write in camel case or snake case. Unlisted fields keep their names. A
 * field in both spellings is ambiguous and rejected.
 */
export function inEitherSpelling<Shape extends z.ZodRawShape>(shape: Shape) {
  const spellings = Object.keys(shape).flatMap((name) => {
    const underscored = withUnderscores(name);
    return underscored === name ? [] : [{ name, underscored }];
  });
  return z.preprocess((value, ctx) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    let renamed: Record<string, unknown> | null = null;
    for (const { name, underscored } of spellings) {
      if (!Object.hasOwn(value, underscored)) continue;
      if (Object.hasOwn(value, name))
        ctx.addIssue({ code: 'custom', path: [name], message: 'it is present in both spellings' });
      renamed ??= { ...value };
      renamed[name] = renamed[underscored];
      delete renamed[underscored];
    }
    return renamed ?? value;
  }, z.looseObject(shape));
}

export function withUnderscores(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function oneOrMany<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(toList, z.array(schema).nullish());
}

/** Like `oneOrMany`, but the list must not be empty. */
export function atLeastOne<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(toList, z.array(schema).min(1));
}

function toList(value: unknown): unknown {
  return value == null || Array.isArray(value) ? value : [value];
}
