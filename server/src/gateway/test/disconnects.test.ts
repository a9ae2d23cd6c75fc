import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createDisconnectSubject,
  type DisconnectSubject,
  places,
  routes,
} from '../../../test/disconnects.ts';

const positions = 42;
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let subject: DisconnectSubject;
beforeAll(async () => {
  subject = await createDisconnectSubject();
});
afterAll(() => subject.remove());

it('a caller that leaves a stream, wherever, pays for what was generated for it by then and for nothing else', async () => {
  const departures = await subject.leave(positions);
  expect(departures.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(departures.map(({ place }) => place))).toEqual(new Set(places));
  expect(new Set(departures.map(({ route }) => route)).size).toBe(Object.keys(routes).length);
});

it('and what it held of limits, of credits and of slots is free again, and all books agree', async () => {
  expect((await subject.audit()).faults).toEqual([]);
});
