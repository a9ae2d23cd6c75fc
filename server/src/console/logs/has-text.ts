import type { LogRow } from '#domain/request-log/log-rows.ts';

export function hasText({ prompt, response }: LogRow): boolean {
  return prompt !== null || response !== null;
}
