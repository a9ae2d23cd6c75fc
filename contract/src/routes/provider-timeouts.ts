import { z } from 'zod';

const timeout = (what: string, minMs: number, maxMs: number) => {
  const problem = `${what} must be ${minMs / 1000} to ${(maxMs / 1000).toLocaleString('en-US')} seconds`;
  return z.number(problem).int(problem).min(minMs, problem).max(maxMs, problem).nullable();
};

/** How long the gate waits for an instance; `null` is the default. The database has the same bounds. */
export const providerTimeouts = {
  connect_timeout_ms: timeout('Connect timeout', 100, 30_000),
  /** Of a stream, to the first byte of its answer. */
  first_byte_timeout_ms: timeout('First byte timeout', 1_000, 600_000),
  /** Between two pieces of an answer. */
  idle_timeout_ms: timeout('Idle timeout', 1_000, 600_000),
  /** Of an answer in one piece, however often it was asked for. */
  total_timeout_ms: timeout('Total timeout', 1_000, 3_600_000),
  stream_total_timeout_ms: timeout('Stream total timeout', 1_000, 3_600_000),
};

export type ProviderTimeoutField = keyof typeof providerTimeouts;

/** What `null` stands for. */
export const defaultProviderTimeouts: Readonly<Record<ProviderTimeoutField, number>> = {
  connect_timeout_ms: 5_000,
  first_byte_timeout_ms: 120_000,
  idle_timeout_ms: 60_000,
  total_timeout_ms: 600_000,
  stream_total_timeout_ms: 3_600_000,
};
