import { positionHeader } from '@sluice/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteReplica, positionHeaders } from './read-replica.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const note = (position: string) => noteReplica(new Headers({ [positionHeader]: position }));

it('positionHeaders returns the greatest position in the responses, regardless of their order', () => {
  expect(positionHeaders()).toEqual({});
  note('00000001b374d848');
  note('00000001b374d7ff');
  noteReplica(new Headers());
  expect(positionHeaders()).toEqual({ [positionHeader]: '00000001b374d848' });
  note('00000002b374d7ff');
  expect(positionHeaders()).toEqual({ [positionHeader]: '00000002b374d7ff' });
});

it('positionHeaders forgets a position after an hour, even if no replica has reached it', () => {
  note('f'.repeat(16));
  vi.advanceTimersByTime(3_599_000);
  expect(positionHeaders()).toEqual({ [positionHeader]: 'f'.repeat(16) });
  vi.advanceTimersByTime(2_000);
  expect(positionHeaders()).toEqual({});
  note('00000001b374d848');
  expect(positionHeaders()).toEqual({ [positionHeader]: '00000001b374d848' });
});
