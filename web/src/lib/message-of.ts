import { ApiError } from '@sluice/contract';

/** What to tell people of a failure: the server's own words, else the fallback. */
export function messageOf(error: unknown, fallback = 'An error occurred'): string {
  return error instanceof ApiError ? error.message : fallback;
}
