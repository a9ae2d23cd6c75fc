import { z } from 'zod';

const timeout = (what: string, minMs: number, maxMs: number) => {
  const problem = `${what} must be ${minMs / 1000} to ${(maxMs / 1000).toLocaleString('en-US')} seconds`;
  return z.number(problem).int(problem).min(minMs, problem).max(maxMs, problem).nullable();
};

/** In milliseconds. `null` means the default. The database has the same bounds. */
export const providerTimeouts = {
  connect_timeout_ms: timeout('Connect timeout', 100, 30_000),
  first_byte_timeout_ms: timeout('First byte timeout', 1_000, 600_000),
  /** Time between two chunks of a response. */
  idle_timeout_ms: timeout('Idle timeout', 1_000, 600_000),
  /** Time for a non-streamed response, including all retries. */
  total_timeout_ms: timeout('Total timeout', 1_000, 3_600_000),
  stream_total_timeout_ms: timeout('Stream total timeout', 1_000, 3_600_000),
};

export type ProviderTimeoutField = keyof typeof providerTimeouts;

/** Timeouts in milliseconds that replace `null`. */
export const defaultProviderTimeouts: Readonly<Record<ProviderTimeoutField, number>> = {
  connect_timeout_ms: 5_000,
  first_byte_timeout_ms: 120_000,
  idle_timeout_ms: 60_000,
  total_timeout_ms: 600_000,
  stream_total_timeout_ms: 3_600_000,
};
