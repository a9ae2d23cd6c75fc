import type { UpstreamHeaders } from '#upstream/upstream-response.ts';

/** Returns the provider's requested wait from `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
export function readRetryAfterMs(headers: UpstreamHeaders, nowMs: number): number | undefined {
  const delayMs = readNumber(headers['retry-after-ms']);
  if (delayMs !== undefined) return delayMs;
  const value = headers['retry-after'];
  const delaySeconds = readNumber(value);
  if (delaySeconds !== undefined) return delaySeconds * 1000;
  const dateMs = typeof value === 'string' && /^\w{3}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function readNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,9}(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}
