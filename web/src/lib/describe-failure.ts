import { ApiError } from '@sluice/contract';
import { localizeInstants } from './format-time.ts';

interface Answer {
  readonly data?: unknown;
  readonly error: Error | null;
  refetch: () => unknown;
}

/**
 * Describes a failed query with the server's message or the fallback. If `whatFailed` is given, the description
 * starts with it. If the fallback is empty and the server sent no message, the reason is omitted.
 */
export function describeFailure({ error, refetch }: Answer, fallback: string, whatFailed?: string) {
  if (error === null) return null;
  const message =
    whatFailed === undefined ? messageOf(error, fallback) : explain(whatFailed, error, fallback);
  return { message, error, onRetry: () => void refetch() };
}

/**
 * Returns what failed with the server's message: `Users cannot be searched: Try later`. Without a message, the reason
 * is the fallback or the status: `Users cannot be searched (HTTP 500)`.
 */
export function explain(whatFailed: string, error: unknown, fallback = ''): string {
  const isUnexplained = fallback === '' && !(error instanceof ApiError && error.isExplained);
  return isUnexplained ? messageOf(error, whatFailed) : `${whatFailed}: ${messageOf(error, fallback)}`;
}

/** Returns why a picker has no choices, and a function that retries the picker's query. */
export const describeSource = ({ data, error, refetch }: Answer, fallback: string) => ({
  problem: error && data === undefined ? messageOf(error, fallback) : undefined,
  onRetry: () => void refetch(),
});

/**
 * Returns the server's error message. Without a message, returns the fallback with the reason: `Failed to fetch teams
 * (HTTP 500)`, `Failed to fetch teams (you are offline)`.
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

// Matches the messages of network errors. Browsers word them differently, and a TypeError may also be a bug in this
// code.
const wording = /fetch|network|load failed|dynamically imported|module script/i;

/** Whether a request, or the load of a lazy part, got no response. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && wording.test(error.message);
}

/** Whether the code of a page or part could not be loaded. */
export const isModuleError = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported|module script/i.test(error.message);

/** Returns an error whose message forms show unchanged, for example the outcome of a bulk request. */
export const explainedError = (message: string) => new ApiError(409, message, [], null);

/** Logs a failure to the browser console if no part of the page can show it. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only function that writes to the console
  console.warn(what, error);
}
