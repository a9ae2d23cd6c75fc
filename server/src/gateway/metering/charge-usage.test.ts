import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { sumTokens } from '#domain/allowance/settlement.ts';
import { recordedAnswers } from '#test/providers/recorded-answers.ts';
import { replayStream } from '#test/providers/replay-stream.ts';
import { StreamProgress } from '../response/stream-progress.ts';
import { type ChargedExchange, countUsage } from './charge-usage.ts';

const streams = recordedAnswers.flatMap(({ bytes, id, name, side }) =>
  bytes === null ? [] : [{ title: `${id}: ${name}`, events: replayStream(side, bytes) }],
);
const closed = { status: 'client_closed', httpStatus: 499, errorCode: null, errorMessage: null } as const;
const heldTokens = 100_000;
const instance = { providerKey: 'openai', aliases: {} };

function abandon(progress: StreamProgress, more: object = {}): ChargedExchange {
  const { imageCount, reported, written } = progress;
  // safe because the function reads no other fields of a request
  return {
    abort: { aborted: true, hasLeft: true },
    answer: { ...reported, written, text: null, imageCount },
    calls: { isSent: true, workingSinceMs: performance.now(), target: { instance, model: 'plain' } },
    completion: { isStream: true, output: { thinkingTokens: 0 } },
    counted: null,
    hold: { parts: [{ lease: { key: { kind: 'tokens_per_day' } }, amount: heldTokens }] },
    likelyInputTokens: 10,
    ...more,
  } as unknown as ChargedExchange;
}

const tokensPerImage = 2_520;
const countTexts = ({ imageCount, written }: StreamProgress) =>
  written.texts.reduce((sum, text) => sum + countTokens(text), imageCount * tokensPerImage);

const follow = ({ events }: (typeof streams)[number]) => {
  const progress = new StreamProgress();
  progress.record(events);
  return progress;
};

describe.each(streams)('usage of a stream that is cut (C2), $title', ({ events }) => {
  it('countUsage charges the text received, wherever the stream is cut', () => {
    const progress = new StreamProgress();
    for (const event of events) {
      progress.record([event]);
      if (progress.reported.usageSource === 'provider') continue;
      const told = progress.usage?.outputTokens ?? 0;
      const exact = Math.max(told, countTexts(progress));
      const estimate = countUsage(abandon(progress), closed);
      expect(estimate.usageSource).toBe('estimated');
      expect(Math.abs((estimate.usage?.outputTokens ?? 0) - exact)).toBeLessThanOrEqual(8 + 0.75 * exact);
      const counted = { inputTokens: 10, outputTokens: countTexts(progress) };
      expect(countUsage(abandon(progress, { counted }), closed).usage?.outputTokens).toBe(exact);
    }
  });
});

const reported = streams.filter((stream) => follow(stream).reported.usageSource === 'provider');
const completelyReported = reported.filter((stream) => {
  const { usage } = follow(stream).reported;
  return usage?.outputTokens && sumTokens(usage) !== usage.outputTokens;
});

it.each(completelyReported)(
  'countUsage charges the reported usage once it was received: $title',
  (stream) => {
    const progress = follow(stream);
    expect(countUsage(abandon(progress), closed)).toEqual(progress.reported);
  },
);

const reportedWithText = reported.filter((stream) => follow(stream).written.texts.length > 0);

describe.each(reportedWithText)('usage report that lacks a field (C1), $title', (stream) => {
  const whole = (change: object) => {
    const progress = follow(stream);
    if (progress.usage) progress.usage = { ...progress.usage, ...change };
    return progress;
  };

  it('countUsage counts the text received if no output is reported', () => {
    const { usage, usageSource } = countUsage(abandon(whole({ outputTokens: 0 })), closed);
    expect(usageSource).toBe('estimated');
    expect(usage?.outputTokens).toBeGreaterThan(0);
  });

  it('countUsage estimates the input, and keeps the reported output, if no input is reported', () => {
    const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const progress = whole({ ...none, outputTokens: 7, reasoningTokens: 0 });
    expect(countUsage(abandon(progress), closed).usage).toMatchObject({ inputTokens: 10, outputTokens: 7 });
  });
});

describe('countUsage for unseen output', () => {
  const call = (seconds: number, model = 'plain') => ({
    calls: { isSent: true, workedSeconds: seconds, target: { instance, model } },
  });
  const stream = { isStream: true, output: { thinkingTokens: 0 } };
  it.each<[name: string, more: object, tokens: number]>([
    ['a stream of a plain model adds nothing', { ...call(10.5), completion: stream }, 0],
    [
      'a reasoning model adds its time before the first word',
      { ...call(10.5, 'o3'), completion: stream },
      500,
    ],
    [
      'a thinking budget adds the time before the first word',
      { ...call(10.5), completion: { isStream: true, output: { thinkingTokens: 1 } } },
      500,
    ],
    [
      'a whole response adds all its time',
      { ...call(10.5), answer: null, completion: { ...stream, isStream: false } },
      500,
    ],
    ['no request adds more than it holds', { ...call(86_400, 'o3'), completion: stream }, heldTokens - 10],
    [
      'a call that failed adds nothing',
      { calls: { isSent: true, workingSinceMs: null, target: { model: 'o3' } } },
      0,
    ],
  ])('countUsage for unseen output: %s', (_, more, tokens) => {
    const exchange = abandon(new StreamProgress(), more);
    const { workedSeconds } = exchange.calls as { workedSeconds?: number };
    if (workedSeconds !== undefined)
      Object.assign(exchange.calls ?? {}, { workingSinceMs: performance.now() - workedSeconds * 1_000 });
    const { usage } = countUsage(exchange, closed);
    expect(usage?.outputTokens ?? 0).toBe(tokens);
  });
});
