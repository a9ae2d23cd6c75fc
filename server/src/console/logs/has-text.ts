import type { LogRow } from '#domain/request-log/log-rows.ts';

/** Returns whether the row contains any text of the request or response. */
export function hasText({ prompt, response }: LogRow): boolean {
  return prompt !== null || response !== null;
}
