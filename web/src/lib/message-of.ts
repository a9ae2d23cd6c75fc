import { ApiError } from '@sluice/contract';

/** Returns the server's error message, or the fallback if it sent none. */
export function messageOf(error: unknown, fallback = 'An error occurred'): string {
  return error instanceof ApiError ? error.message : fallback;
}
