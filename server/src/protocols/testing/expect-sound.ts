import { expect } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { findUnsound } from './find-unsound.ts';

/** Blocks start, grow and end one at a time, and nothing follows an error. */
export function expectSound(events: readonly StreamEvent[]): void {
  expect(findUnsound(events)).toBeNull();
}
