import { describe, expect, it } from 'vitest';
import { createStreamTap } from './stream.ts';

const follow = (events: (object | string)[], wantsUsage = true) => {
  const tap = createStreamTap({ wantsUsage });
  const passed = events.map((event) => tap.accept(typeof event === 'string' ? event : JSON.stringify(event)));
  return { ...tap.state, passed };
};
const chunk = (delta: unknown, finish_reason: string | null = null, index = 0) => ({
  choices: [{ index, delta, finish_reason }],
});
const usage = (completion_tokens: number) => ({
  choices: [],
  usage: { prompt_tokens: 3, completion_tokens },
});

describe('the tap of a stream', () => {
  it('knows the text, the usage and the end', () => {
    expect(
      follow([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        chunk({}, 'stop'),
        usage(2),
        '[DONE]',
      ]),
    ).toEqual({
      text: 'Hello',
      outputPieces: 2,
      usage: { inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
      isFinished: true,
      isClosed: true,
      error: null,
      passed: [true, true, true, true, true, true],
    });
  });

  it('withholds the usage that nobody asked for, but not what comes with it', () => {
    const finish = { ...chunk({ content: 'a' }, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 1 } };
    expect(follow([{ ...chunk({}), usage: null }, finish, usage(2), '[DONE]'], false).passed).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('takes the last usage, and none that cannot be', () => {
    expect(follow([usage(2), usage(5)]).usage?.outputTokens).toBe(5);
    expect(follow([usage(2), usage(-5)]).usage?.outputTokens).toBe(2);
    expect(follow([usage(1e18)]).usage).toBeNull();
  });

  it('is finished when each choice has told why it ended', () => {
    expect(
      follow([chunk({ content: 'a' }), chunk({ content: 'b' }, null, 1), chunk({}, 'stop')]).isFinished,
    ).toBe(false);
    expect(follow([chunk({}, 'stop', 1), chunk({ content: 'a' }), chunk({}, 'length')]).isFinished).toBe(
      true,
    );
    expect(follow([]).isFinished).toBe(false);
    expect(follow(['[DONE]'])).toMatchObject({ isFinished: false, isClosed: true });
  });

  it.each<[kind: string, delta: unknown, pieces: number]>([
    ['text', { content: 'a' }, 1],
    ['parts', { content: [{ type: 'text', text: 'a' }] }, 1],
    ['a tool call', { tool_calls: [{ index: 0 }] }, 1],
    ['reasoning', { reasoning_content: 'hm' }, 1],
    ['reasoning by another name', { reasoning: 'hm' }, 1],
    ['an empty text', { content: '' }, 0],
    ['a role', { role: 'assistant' }, 0],
    ['nothing', null, 0],
  ])('counts output: %s', (_, delta, pieces) => {
    expect(follow([chunk(delta)]).outputPieces).toBe(pieces);
  });

  it.each<[kind: string, event: object | string, error: string]>([
    ['an object', { error: { message: 'Overloaded' } }, 'Overloaded'],
    ['a text', { error: 'Overloaded' }, 'Overloaded'],
    ['something else', { error: { code: 7 } }, 'The provider reported an error inside the stream.'],
    ['beside a choice', { ...chunk({ content: '' }), error: { message: 'Overloaded' } }, 'Overloaded'],
    ['an event that is no JSON', '{"choices":[', 'The provider sent a stream event that is not JSON.'],
    ['an event that is no object', 'null', 'The provider sent a stream event that is not JSON.'],
  ])('knows an error: %s', (_, event, error) => {
    expect(follow([event]).error).toBe(error);
    expect(follow([event, { error: 'a later one' }]).error).toBe(error);
  });

  it('keeps no more of the text than a row does', () => {
    const { text, outputPieces } = follow(
      Array.from({ length: 100 }, () => chunk({ content: 'x'.repeat(1_000) })),
    );
    expect(text.length).toBeLessThan(67_000);
    expect(outputPieces).toBe(100);
  });
});
