import { ApiError } from '@sluice/contract';
import { localizeInstants } from './format-time.ts';

interface Answer {
  readonly data?: unknown;
  readonly error: Error | null;
  refetch: () => unknown;
}

/**
 * Describes a failed query: what failed, if `whatFailed` is given, and the server's message or the fallback. With an
 * empty fallback, the reason is omitted if the server sent none.
 */
export function describeFailure({ error, refetch }: Answer, fallback: string, whatFailed?: string) {
  if (error === null) return null;
  const message =
    whatFailed === undefined ? messageOf(error, fallback) : explain(whatFailed, error, fallback);
  return { message, error, onRetry: () => void refetch() };
}

/**
 * Returns what failed with the server's message: `Users cannot be searched: Try later`. If there is no message, the
 * reason is the fallback or the status: `Users cannot be searched (HTTP 500)`.
 */
export function explain(whatFailed: string, error: unknown, fallback = ''): string {
  const isUnexplained = fallback === '' && !(error instanceof ApiError && error.isExplained);
  return isUnexplained ? messageOf(error, whatFailed) : `${whatFailed}: ${messageOf(error, fallback)}`;
}

/** Returns why a picker's query has no choices, and a function to retry it. */
export const describeSource = ({ data, error, refetch }: Answer, fallback: string) => ({
  problem: error && data === undefined ? messageOf(error, fallback) : undefined,
  onRetry: () => void refetch(),
});

/**
 * Returns the server's error message, or the fallback with the reason if it sent none: `Failed to fetch teams (HTTP 500)`,
 * `Failed to fetch teams (you are offline)`.
 */
export function messageOf(error: unknown, fallback = 'An error occurred'): string {
  if (!(error instanceof ApiError))
    return isNetworkError(error) && !navigator.onLine
      ? `${fallback} (you are offline)`.trimStart()
      : fallback;
  return error.isExplained
    ? localizeInstants(error.message)
    : `${fallback} (HTTP ${error.status})`.trimStart();
}

// Browsers word this message differently, and a bug in our own code may also be a TypeError.
const wording = /fetch|network|load failed|dynamically imported|module script/i;

/** Whether a call, or the load of a lazy part, got no response. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && wording.test(error.message);
}

/** Whether the code of a page or part could not be loaded. */
export const isModuleError = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported|module script/i.test(error.message);

/** Returns an error whose message a form shows unchanged, such as the outcome of a bulk request. */
export const explainedError = (message: string) => new ApiError(409, message, [], null);

/** Writes a failure without a place in the UI to the browser console. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only place that writes to the console
  console.warn(what, error);
}
