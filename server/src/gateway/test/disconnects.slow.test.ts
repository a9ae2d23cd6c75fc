import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDisconnectSubject, type DisconnectSubject, places, routes } from '#test/load/disconnects.ts';

const positions = 42;

let subject: DisconnectSubject;
beforeAll(async () => {
  subject = await createDisconnectSubject();
});
afterAll(() => subject.remove());

it(`a caller that disconnects at one of ${positions} positions pays at least for the received and at most for the generated output`, async () => {
  const departures = await subject.leave(positions);
  expect(departures.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(departures.map(({ place }) => place))).toEqual(new Set(places));
  expect(new Set(departures.map(({ route }) => route)).size).toBe(Object.keys(routes).length);
});

it('disconnected requests release their limits, credits and slots, and all totals agree', async () => {
  expect((await subject.audit()).faults).toEqual([]);
});
