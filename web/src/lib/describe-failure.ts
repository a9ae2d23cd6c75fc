import { ApiError } from '@sluice/contract';

interface Answer {
  readonly data?: unknown;
  readonly error: Error | null;
  refetch: () => unknown;
}

/** A query that failed, as people are told: what failed, if that is said, and why in the server's own words or these. */
export function describeFailure({ error, refetch }: Answer, fallback: string, whatFailed?: string) {
  if (error === null) return null;
  const reason = messageOf(error, fallback);
  const message = whatFailed === undefined ? reason : `${whatFailed}: ${reason}`;
  return { message, error, onRetry: () => void refetch() };
}

/** Returns why a picker's query has no choices, and a function to retry it. */
export const describeSource = ({ data, error, refetch }: Answer, fallback: string) => ({
  problem: error && data === undefined ? messageOf(error, fallback) : undefined,
  onRetry: () => void refetch(),
});

/** Returns the server's error message, or the fallback if it sent none. */
export function messageOf(error: unknown, fallback = 'An error occurred'): string {
  return error instanceof ApiError ? error.message : fallback;
}

// Each browser words it differently, and a fault in our own code may be a TypeError, too.
const wording = /fetch|network|load failed|dynamically imported|module script/i;

/** Whether a call, or a part of the console, got no answer at all. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && wording.test(error.message);
}

/** Writes a failure that has no place in the UI to the browser console. */
export function logFailure(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes there
  console.warn(what, error);
}
