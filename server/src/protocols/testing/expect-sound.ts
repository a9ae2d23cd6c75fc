import { expect } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';

/** What can be said of any stream: blocks begin, grow and end one at a time, and nothing follows an error. */
export function expectSound(events: readonly StreamEvent[]): void {
  const open = new Map<number, number>();
  const begun = new Map<number, number>();
  const finished = new Set<number>();
  for (const [index, event] of events.entries()) {
    if (event.type === 'error') expect(index).toBe(events.length - 1);
    if (event.type === 'finish') {
      expect(finished.has(event.choice)).toBe(false);
      finished.add(event.choice);
    }
    if (!('block' in event)) continue;
    if (event.type.endsWith('-start')) {
      expect(open.has(event.choice)).toBe(false);
      expect(event.block).toBe(begun.get(event.choice) ?? 0);
      begun.set(event.choice, event.block + 1);
      open.set(event.choice, event.block);
    } else expect(open.get(event.choice)).toBe(event.block);
    if (event.type.endsWith('-end')) open.delete(event.choice);
  }
  expect(open.size).toBe(0);
}
