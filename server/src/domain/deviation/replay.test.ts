import { defaultDeviationPolicy, type RoleName } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { createReplay } from './replay.ts';

const send = (
  replay: ReturnType<typeof createReplay>,
  userId: number,
  count: number,
  off_topic: number,
  role: RoleName = 'user',
) => {
  for (let index = 0; index < count; index++) {
    const id = `${userId}-${index}`;
    replay.add(userId, { id, atMs: index, values: { off_topic }, repeats: 1, isRefused: false }, role);
  }
};

describe('createReplay', () => {
  it('createReplay reports which users would have been warned and blocked, and the requests that caused this', () => {
    const replay = createReplay(defaultDeviationPolicy);
    send(replay, 1, 30, 1);
    send(replay, 2, 10, 1);
    send(replay, 3, 30, 0.1);
    send(replay, 4, 30, 1, 'super_admin');
    expect(replay.list()).toMatchObject([
      { userId: 1, requests: 22, warned: { requestId: '1-6' }, blocked: { requestId: '1-21', atMs: 21 } },
      { userId: 2, requests: 10, warned: { requestId: '2-6' }, blocked: null },
      { userId: 3, requests: 30, warned: null, blocked: null },
      { userId: 4, requests: 30, warned: { requestId: '4-6' }, blocked: null },
    ]);
  });

  it('createReplay applies the proposed policy instead of the one in force at the time', () => {
    const { weights, thresholds } = defaultDeviationPolicy;
    const strict = createReplay({ ...defaultDeviationPolicy, thresholds: { ...thresholds, block: 0.75 } });
    const blind = createReplay({ ...defaultDeviationPolicy, weights: { ...weights, off_topic: 0 } });
    for (const replay of [strict, blind]) send(replay, 1, 30, 1);
    expect(strict.list()[0]?.blocked?.requestId).toBe('1-13');
    expect(blind.list()[0]).toMatchObject({ requests: 30, highest: 0 });
  });
});
