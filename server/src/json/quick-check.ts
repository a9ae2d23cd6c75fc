import { z } from 'zod';

type QuickCheck = (value: unknown) => boolean;

const quickChecks = new WeakMap<z.core.$ZodType, QuickCheck>();

/**
 * Returns whether a schema accepts a JSON value without changing it. Several times faster than the schema, since
 * nothing is copied. If false, run the schema: it may accept the value with changes, or be of a kind that is not
 * supported here.
 */
export function fitsUnchanged<Value>(schema: z.ZodType<Value>, value: unknown): value is Value {
  return quickChecks.getOrInsertComputed(schema, () => compile(schema).accepts)(value);
}

/** Parses like the schema's `safeParse`, but does not copy values that the schema leaves unchanged. */
export function quickParse<Value>(schema: z.ZodType<Value>, value: unknown): z.ZodSafeParseResult<Value> {
  return fitsUnchanged(schema, value) ? { success: true, data: value } : schema.safeParse(value);
}

interface Compiled {
  readonly accepts: QuickCheck;
  /** Whether the schema rejects everything that `accepts` rejects. */
  readonly isExact: boolean;
}

const unknowable: Compiled = { accepts: () => false, isExact: false };

function compile(schema: z.core.$ZodType): Compiled {
  const compiled = compileKind(schema);
  const tests = (schema._zod.def.checks ?? []).map(compileTest);
  if (tests.length === 0) return compiled;
  const known = tests.filter((test) => test !== null);
  if (known.length < tests.length) return unknowable;
  const accepts = known.reduce<QuickCheck>(
    (all, test) => (value) => all(value) && test(value),
    compiled.accepts,
  );
  return { accepts, isExact: compiled.isExact };
}

const exactly = (accepts: QuickCheck): Compiled => ({ accepts, isExact: true });

function compileKind(schema: z.core.$ZodType): Compiled {
  if (schema instanceof z.ZodObject) return compileObject(schema);
  if (schema instanceof z.ZodArray) return compileArray(schema);
  if (schema instanceof z.ZodUnion) return compileUnion(schema);
  if (schema instanceof z.ZodPipe) return compilePreprocess(schema);
  if (schema instanceof z.ZodOptional) return orElse(undefined, schema.unwrap());
  if (schema instanceof z.ZodNullable) return orElse(null, schema.unwrap());
  if (schema instanceof z.ZodCatch) return { ...compile(schema.unwrap()), isExact: false };
  if (schema instanceof z.ZodString) return exactly((value) => typeof value === 'string');
  if (schema instanceof z.ZodBoolean) return exactly((value) => typeof value === 'boolean');
  if (schema instanceof z.ZodNumber) return exactly(Number.isFinite);
  if (schema instanceof z.ZodNull) return exactly((value) => value === null);
  if (schema instanceof z.ZodUnknown) return exactly(() => true);
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
  const test = compileTest(schema);
  return test ? exactly(test) : unknowable;
}

function oneOf(values: readonly unknown[]): Compiled {
  return exactly((value) => values.includes(value));
}

function orElse(extra: null | undefined, schema: z.core.$ZodType): Compiled {
  const { accepts, isExact } = compile(schema);
  return { accepts: (value) => value === extra || accepts(value), isExact };
}

function compileArray(schema: z.ZodArray): Compiled {
  const { accepts, isExact } = compile(schema.element);
  return { accepts: (value) => Array.isArray(value) && value.every((item) => accepts(item)), isExact };
}

// A schema that is not loose removes `__proto__` and unknown names.
function compileObject({ shape, def }: z.ZodObject): Compiled {
  const isLoose = def.catchall instanceof z.ZodUnknown;
  const fields = Object.entries<z.core.$ZodType>(shape).map(
    ([name, field]) => [name, compile(field)] as const,
  );
  const checks = new Map(fields.map(([name, { accepts }]) => [name, accepts]));
  const required = fields.filter(([, { accepts }]) => !accepts(undefined)).map(([name]) => name);
  const accepts = (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const name in value) {
      const check = checks.get(name);
      if (check ? !check(value[name as keyof typeof value]) : !isLoose || name === '__proto__') return false;
    }
    return required.every((name) => Object.hasOwn(value, name));
  };
  return { accepts, isExact: fields.every(([, { isExact }]) => isExact) };
}

/** The first matching option determines the result, so options after a possible match are not checked. */
function compileUnion({ options }: z.ZodUnion): Compiled {
  const compiled = options.map(compile);
  const unsure = compiled.findIndex(({ isExact }) => !isExact);
  const asked = unsure === -1 ? compiled : compiled.slice(0, unsure + 1);
  return { accepts: (value) => asked.some(({ accepts }) => accepts(value)), isExact: unsure === -1 };
}

/** The check accepts only values that need no preprocessing. */
function compilePreprocess({ in: before, out }: z.ZodPipe): Compiled {
  if (!(before instanceof z.ZodTransform)) return unknowable;
  const { accepts } = compile(out);
  const { transform } = before.def;
  const isUntouched = (value: unknown) => {
    const issues: z.core.$ZodRawIssue[] = [];
    const addIssue = (): void => void issues.push({ code: 'custom', input: value });
    return (
      transform(value, { value, issues, addIssue } as z.core.ParsePayload) === value && issues.length === 0
    );
  };
  return { accepts: (value) => isUntouched(value) && accepts(value), isExact: false };
}

/** Compiles one check of a value whose type has been verified; returns `null` for unsupported checks. */
function compileTest(check: object): QuickCheck | null {
  if (check instanceof z.ZodCustom) {
    const { fn } = check._zod.def;
    return (value) => Boolean(fn(value as never));
  }
  if (check instanceof z.core.$ZodCheckGreaterThan) {
    const { value: least, inclusive } = check._zod.def;
    return (value) => Number(value) > Number(least) || (inclusive && value === least);
  }
  if (check instanceof z.core.$ZodCheckLessThan) {
    const { value: most, inclusive } = check._zod.def;
    return (value) => Number(value) < Number(most) || (inclusive && value === most);
  }
  if (check instanceof z.core.$ZodCheckNumberFormat)
    return check._zod.def.format === 'safeint' ? Number.isSafeInteger : null;
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def;
    return (value) => (value as { length: number }).length >= minimum;
  }
  if (check instanceof z.core.$ZodCheckRegex) {
    const { pattern } = check._zod.def;
    return (value) => pattern.test(String(value));
  }
  return null;
}
