import type { Usage } from '#protocols/canonical/usage.ts';

export interface OtherRequest {
  readonly requestId: string;
  /** Time of receipt, in wall-clock milliseconds. */
  readonly atMs: number;
  /** Hexadecimal SHA-256 of the API key; `null` if the log does not have it. */
  readonly keyDigest: string | null;
  /** Name of the API key, for logs without a digest. */
  readonly keyName: string | null;
  readonly modelRequested: string;
  readonly model: string;
  readonly outcome: 'served' | 'refused' | 'failed';
  readonly costNanoUsd: bigint | null;
  readonly usage: Usage | null;
}

export interface LoggedRequest extends OtherRequest {
  readonly path: string;
  /** `null` if the text was not stored. */
  readonly body: unknown;
}

export interface OtherLog {
  /** Name of the product, with host or file and without credentials. */
  readonly name: string;
  /** Returns the requests received in a period, oldest first. */
  read(fromMs: number, toMs: number): Promise<readonly OtherRequest[]>;
  /** Reads requests with their bodies in pages; `null` if the log does not contain bodies. */
  readonly readWithBodies: ((fromMs: number, toMs: number) => AsyncIterable<readonly LoggedRequest[]>) | null;
}

/** Maximum values per request in a log: 2^31 tokens and a million dollars. */
export const tokensMax = 2 ** 31 - 1;
export const usdMax = 1_000_000;

/** Returns usage from totals. `input` includes tokens that were read from or written to a cache. */
export const toUsage = ({
  input,
  cached,
  written,
  output,
}: Readonly<Record<'input' | 'cached' | 'written' | 'output', number>>): Usage => ({
  inputTokens: Math.max(0, input - cached - written),
  cacheReadTokens: cached,
  cacheWriteTokens: written,
  outputTokens: output,
  reasoningTokens: 0,
});
