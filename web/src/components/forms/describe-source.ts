import { messageOf } from '../../lib/message-of.ts';

interface Answer {
  readonly data: unknown;
  readonly error: Error | null;
  refetch: () => unknown;
}

/** Of a query that a picker's choices come from: why there are none, in the server's own words or these, and a retry. */
export const describeSource = ({ data, error, refetch }: Answer, fallback: string) => ({
  problem: error && data === undefined ? messageOf(error, fallback) : undefined,
  onRetry: () => void refetch(),
});
