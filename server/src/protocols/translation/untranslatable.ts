import type { Steps } from '#platform/steps.ts';
import type { RequestProblem } from '../canonical/request.ts';

/**
 * Thrown if a request cannot be expressed in the provider's protocol. `orProblem` converts the error to a problem.
 */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError';
  readonly problem: RequestProblem;

  constructor(message: string, param: string | null) {
    super(message);
    this.problem = { code: 'invalid_request', message, param };
  }
}

interface Untranslatable {
  readonly ok: false;
  readonly problem: RequestProblem;
}

/** Returns the result of `translate`, or the problem that `translate` threw. */
export function orProblem<Result>(translate: () => Result): Result | Untranslatable {
  try {
    return translate();
  } catch (error) {
    return toUntranslatable(error);
  }
}

export function* orProblemInSteps<Result>(translation: Steps<Result>): Steps<Result | Untranslatable> {
  try {
    return yield* translation;
  } catch (error) {
    return toUntranslatable(error);
  }
}

function toUntranslatable(error: unknown): Untranslatable {
  if (error instanceof UntranslatableError) return { ok: false, problem: error.problem };
  throw error;
}

/** Creates the error for a file that is stored at another provider and cannot be read here. */
export function foreignFile(kind: string): UntranslatableError {
  return new UntranslatableError(
    `The provider of this model does not accept ${kind} file ids; send base64 data instead.`,
    'messages',
  );
}

/**
 * Returns the message of an error body: at the top level, in `detail` or one per field, depending on the provider.
 * Returns `null` if the body has no message.
 */
export function findErrorWords(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value;
  if (depth > depthMax) return null;
  if (Array.isArray(value))
    return value.flatMap((entry) => findErrorWords(entry, depth + 1) ?? []).join('; ') || null;
  if (typeof value !== 'object' || value === null) return null;
  for (const name of errorNames) {
    const words = name in value ? findErrorWords(Reflect.get(value, name), depth + 1) : null;
    if (words) return words;
  }
  return null;
}

/** Finds the first field that a validation error names by its path (`loc`), such as `messages[0].content`. */
export function findErrorField(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null || depth > depthMax) return null;
  if (Array.isArray(value)) {
    for (const entry of value) {
      const field = findErrorField(entry, depth + 1);
      if (field) return field;
    }
    return null;
  }
  if ('loc' in value && Array.isArray(value.loc)) return formatLocation(value.loc);
  for (const name of errorNames) {
    const field = name in value ? findErrorField(Reflect.get(value, name), depth + 1) : null;
    if (field) return field;
  }
  return null;
}

/** Deeper bodies are not errors, and reading them would overflow the stack. */
const depthMax = 32;

const errorNames = ['error', 'message', 'detail', 'msg'] as const;

/** The first step names the part of the request, which is the body. */
function formatLocation(location: readonly unknown[]): string | null {
  const steps = location.filter((step) => typeof step === 'string' || typeof step === 'number');
  if (steps[0] === 'body') steps.shift();
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return path.replace(/^\./, '') || null;
}
