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

describe('a stream is whole', () => {
  it.each<[name: string, lists: StreamEvent[][], isWhole: boolean]>([
    ['when all its choices have finished', [[say('a'), finish()], [say('b', 1)], [finish(1)]], true],
    ['when its end has come, whatever has finished', [[say('a')], [{ type: 'end' }]], true],
    ['not when one choice goes on', [[say('a'), say('b', 1), finish(1)]], false],
    ['not when nothing has come', [[]], false],
    [
      'not when it has only begun',
      [[{ type: 'start', id: null, model: null, createdAtSeconds: null }]],
      false,
    ],
  ])('%s', (_, lists, isWhole) => {
    expect(follow(...lists).isWhole).toBe(isWhole);
  });
});

describe('output that is not told in tokens', () => {
  const block = { choice: 0, block: 0 };
  it.each<[events: StreamEvent[], pieces: number]>([
    [[{ type: 'text-start', ...block }, say('a'), { type: 'text-end', ...block }], 1],
    [[say('a'), say('b'), say('c')], 1],
    [[{ type: 'reasoning-delta', ...block, text: 'a' }], 1],
    [[{ type: 'tool-input-start', ...block, id: 'c', name: 'f' }], 1],
    [[{ type: 'tool-input-delta', ...block, json: '{' }], 1],
    [[{ type: 'refusal-delta', choice: 0, text: 'no' }], 1],
    [[finish()], 0],
    [[{ type: 'text-start', ...block }], 0],
    [[], 0],
  ])('%j counts %i', (events, pieces) => {
    expect(follow(events).outputPieces).toBe(pieces);
  });
});

it('the last usage and the first error count', () => {
  const usage = (outputTokens: number): StreamEvent => ({
    type: 'usage',
    usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
  });
  const error = (message: string): StreamEvent => ({ type: 'error', code: 'upstream_error', message });
  const progress = follow([usage(1)], [usage(2)], [error('first')], [error('second')]);
  expect(progress.usage?.outputTokens).toBe(2);
  expect(progress.error?.message).toBe('first');
});

it('the text of a long answer is kept up to what a row holds, and then no more', () => {
  const progress = new StreamProgress();
  for (let index = 0; index < 100; index++) progress.record([say('x'.repeat(4_096))]);
  expect(progress.text.length).toBe(64 * 1024);
});

describe('what is charged', () => {
  const told = (outputTokens: number): StreamEvent => ({
    type: 'usage',
    usage: { inputTokens: 9, cacheReadTokens: 1, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
  });
  it.each<[name: string, lists: StreamEvent[][], input: number, output: number, source: string]>([
    ['is what the provider told at the end', [[told(1)], [say('a')], [finish(), told(7)]], 9, 7, 'provider'],
    ['is what has come, where only the start was told', [[told(1)], [say('a')], [say('b')]], 9, 2, 'partial'],
    ['is what was told on the way, where that is more', [[say('a'), told(30)], [say('b')]], 9, 30, 'partial'],
    ['is what has come, where nothing was told', [[say('a')], [finish()]], 0, 1, 'partial'],
    [
      'is what has come, where an error ended it',
      [[told(0)], [say('a')], [{ type: 'error', code: 'upstream_error', message: 'no' }]],
      9,
      1,
      'partial',
    ],
  ])('%s', (_, lists, inputTokens, outputTokens, usageSource) => {
    expect(follow(...lists).readUsage()).toMatchObject({ usage: { inputTokens, outputTokens }, usageSource });
  });
});
