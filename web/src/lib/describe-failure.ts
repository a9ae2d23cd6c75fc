import { messageOf } from './message-of.ts';

interface Answer {
  readonly error: Error | null;
  refetch: () => unknown;
}

/** A query that failed, as people are told: in the server's own words, else these. */
export const describeFailure = ({ error, refetch }: Answer, fallback: string) =>
  error && { message: messageOf(error, fallback), error, onRetry: () => void refetch() };
