import { messageOf } from './message-of.ts';

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
