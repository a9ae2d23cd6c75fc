import { describe, expect, it } from 'vitest';
import { encodeMinimal, parseCompletion, readText } from './response.ts';

const answer = (more: object = {}) =>
  Buffer.from(JSON.stringify({ model: 'm', choices: [{ message: { content: 'Hi' } }], ...more }));

describe('a whole answer', () => {
  it('gives its first choice, its model and its usage', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const choices = [{ message: { content: 'a' } }, { message: { content: 'b' } }];
    expect(parseCompletion(answer({ choices, usage }))).toEqual({
      text: 'a',
      model: 'm',
      usage: { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
    });
  });

  it('may come without choices, text or usage', () => {
    expect(parseCompletion(answer({ choices: [] }))).toEqual({ text: null, model: 'm', usage: null });
    expect(parseCompletion(answer({ choices: [{ message: { content: null } }] }))?.text).toBeNull();
    expect(parseCompletion(answer({ usage: { prompt_tokens: -1, completion_tokens: 2 } }))?.usage).toBeNull();
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{}',
    '<html></html>',
    '{"error":{"message":"x"}}',
    '{"model":"m","choices":{}}',
    '{"model":"m","choices":[{}]}',
  ])('is not one: %s', (body) => {
    expect(parseCompletion(Buffer.from(body))).toBeNull();
  });

  it('is told in five fields for those who ask for it', () => {
    const usage = {
      inputTokens: 3,
      cacheReadTokens: 2,
      cacheWriteTokens: 1,
      outputTokens: 4,
      reasoningTokens: 1,
    };
    expect(encodeMinimal({ text: 'Hi', model: 'm', usage }, 7)).toEqual({
      content: 'Hi',
      model: 'm',
      usage: { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 },
      task_id: 7,
      remaining_tokens: null,
    });
    expect(encodeMinimal({ text: null, model: 'm', usage: null }, null)).toMatchObject({
      content: null,
      usage: null,
    });
  });
});

it('the visible text of parts leaves out the thinking', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
  expect(readText([thinking, { type: 'text', text: 'a' }, null, 7, { type: 'text', text: 'b' }])).toBe('ab');
  expect([readText('a'), readText(null), readText(undefined), readText({})]).toEqual(['a', null, null, null]);
});
