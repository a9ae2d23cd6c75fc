import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import { StreamProgress } from './stream-progress.ts';

const say = (text: string, choice = 0): StreamEvent => ({ type: 'text-delta', choice, block: 0, text });
const finish = (choice = 0): StreamEvent => ({
  type: 'finish',
  choice,
  finish: { reason: 'stop', native: null },
});
const follow = (...lists: StreamEvent[][]) => {
  const progress = new StreamProgress();
  for (const events of lists) progress.record(events);
  return progress;
};

describe('StreamProgress', () => {
  it.each<[name: string, lists: StreamEvent[][], isWhole: boolean]>([
    ['true when all choices have finished', [[say('a'), finish()], [say('b', 1)], [finish(1)]], true],
    ['true after the end event, even if no choice has finished', [[say('a')], [{ type: 'end' }]], true],
    ['false while one choice continues', [[say('a'), say('b', 1), finish(1)]], false],
    ['false before any event', [[]], false],
    [
      'false after only the start event',
      [[{ type: 'start', id: null, model: null, createdAtSeconds: null }]],
      false,
    ],
  ])('StreamProgress.isWhole is %s', (_, lists, isWhole) => {
    expect(follow(...lists).isWhole).toBe(isWhole);
  });
});

const block = { choice: 0, block: 0 };

it.each<[events: StreamEvent[], texts: string[]]>([
  [[{ type: 'text-start', ...block }, say('a'), { type: 'text-end', ...block }], ['a']],
  [[say('a'), say('b'), say('c')], ['abc']],
  [
    [{ type: 'reasoning-delta', ...block, text: 'why' }, say('a')],
    ['a', 'why'],
  ],
  [
    [
      { type: 'tool-input-start', ...block, id: 'c', name: 'find' },
      { type: 'tool-input-delta', ...block, json: '{"q":1}' },
    ],
    ['find{"q":1}'],
  ],
  [[{ type: 'refusal-delta', choice: 0, text: 'no' }], ['no']],
  [[finish()], []],
  [[{ type: 'text-start', ...block }], []],
  [[], []],
])('StreamProgress records the texts of %j as %j for any split into events', (events, texts) => {
  expect(follow(events).written.texts).toEqual(texts);
  expect(follow(...events.map((event) => [event])).written.texts).toEqual(texts);
});

it.each<[events: StreamEvent[], reasoning: string]>([
  [[say('a')], 'none'],
  [[{ type: 'reasoning-start', ...block, isRedacted: true }, say('a')], 'hidden'],
  [[{ type: 'reasoning-start', ...block, isRedacted: false }], 'hidden'],
  [[{ type: 'reasoning-delta', ...block, text: 'why' }], 'visible'],
])('StreamProgress records the reasoning in %j as %s', (events, reasoning) => {
  expect(follow(events).written.reasoning).toBe(reasoning);
});

it('StreamProgress keeps the last usage and the first error', () => {
  const usage = (outputTokens: number): StreamEvent => ({
    type: 'usage',
    usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
  });
  const error = (message: string): StreamEvent => ({ type: 'error', code: 'upstream_error', message });
  const progress = follow([usage(1)], [usage(2)], [error('first')], [error('second')]);
  expect(progress.usage?.outputTokens).toBe(2);
  expect(progress.error?.message).toBe('first');
});

it('StreamProgress keeps the text of a long response only up to the size of a row', () => {
  const progress = new StreamProgress();
  for (let index = 0; index < 100; index++) progress.record([say('x'.repeat(4_096))]);
  expect(progress.text.length).toBe(64 * 1024);
  expect(progress.written.scale).toBe(6.25);
});

it('StreamProgress keeps only the start of one long text', () => {
  const progress = new StreamProgress();
  progress.record([say('x'.repeat(1_000_000))]);
  progress.record([{ type: 'reasoning-delta', ...block, text: 'y'.repeat(1_000_000) }]);
  expect([progress.text.length, progress.written.texts[1]?.length]).toEqual([64 * 1024, 64 * 1024]);
});

it('StreamProgress counts the bytes that decoders and encoders keep, with text counted separately', () => {
  const progress = new StreamProgress();
  const kept = () => [progress.keptBytes > 1_000, progress.keptTextBytes > 1_000];
  progress.record([say('x'.repeat(1_000))], 1_000);
  expect(kept()).toEqual([false, true]);
  progress.record([{ type: 'tool-input-delta', ...block, json: 'x'.repeat(1_000) }], 1_000);
  expect(kept()).toEqual([true, true]);
  const before = progress.keptBytes;
  progress.record([], 1_000);
  progress.record([{ type: 'reasoning-end', ...block }], 1_000);
  expect(progress.keptBytes).toBeGreaterThan(before + 2_000);
});

describe('StreamProgress.reported', () => {
  const told = (outputTokens: number): StreamEvent => ({
    type: 'usage',
    usage: { inputTokens: 9, cacheReadTokens: 1, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
  });
  it.each<[name: string, lists: StreamEvent[][], output: number | undefined, source: string]>([
    [
      'is the reported usage once the stream is complete',
      [[told(1)], [say('a')], [finish(), told(7)]],
      7,
      'provider',
    ],
    ['is partial while the stream is incomplete', [[told(1)], [say('a')], [say('b')]], 1, 'partial'],
    ['has no usage if the stream is complete without one', [[say('a')], [finish()]], undefined, 'none'],
    [
      'is partial if an error ended the stream',
      [[told(3)], [say('a')], [{ type: 'error', code: 'upstream_error', message: 'no' }]],
      3,
      'partial',
    ],
  ])('StreamProgress.reported %s', (_, lists, outputTokens, usageSource) => {
    const { reported } = follow(...lists);
    expect(reported.usage?.outputTokens).toBe(outputTokens);
    expect(reported.usageSource).toBe(usageSource);
  });
});
