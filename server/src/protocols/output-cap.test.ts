import { describe, expect, it } from 'vitest';
import type { CompletionRequest } from './canonical/request.ts';
import { protocols } from './registry.ts';

type CallerProtocolId = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';

const messages = [{ role: 'user', content: 'Hi' }];
const contents = [{ parts: [{ text: 'Hi' }] }];
const least: Record<CallerProtocolId, object> = {
  'openai-chat': { model: 'm', messages },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', messages, max_tokens: 900 },
  gemini: { contents },
};

function parse(id: CallerProtocolId, fields: object | string): CompletionRequest {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ ...least[id], ...fields });
  const parsed = protocols[id].caller!.parseRequest(Buffer.from(body), { model: 'm', isStream: false });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
}

const cap = { tokens: 500 };

describe('output cap of the gateway', () => {
  it.each<[id: CallerProtocolId, fields: object, written: object]>([
    ['openai-chat', {}, { max_tokens: 500 }],
    ['openai-chat', { max_tokens: 900 }, { max_tokens: 500 }],
    ['openai-chat', { max_completion_tokens: 900 }, { max_completion_tokens: 500 }],
    [
      'openai-chat',
      { max_completion_tokens: 400, max_tokens: 900 },
      { max_completion_tokens: 400, max_tokens: 500 },
    ],
    ['openai-responses', {}, { max_output_tokens: 500 }],
    ['openai-responses', { max_output_tokens: 900 }, { max_output_tokens: 500 }],
    ['anthropic-messages', {}, { max_tokens: 500 }],
    ['gemini', {}, { generationConfig: { maxOutputTokens: 500 } }],
    ['gemini', { generationConfig: { topK: 3 } }, { generationConfig: { maxOutputTokens: 500, topK: 3 } }],
    [
      'gemini',
      { generationConfig: { maxOutputTokens: 900 } },
      { generationConfig: { maxOutputTokens: 500 } },
    ],
    [
      'gemini',
      { generation_config: { max_output_tokens: 900 } },
      { generation_config: { max_output_tokens: 500 } },
    ],
  ])('output cap is written into the field that the %s caller used: %j', (id, fields, written) => {
    const sent = parse(id, fields).encodeFor('m', undefined, cap);
    expect(JSON.parse(sent.toString())).toEqual({ ...least[id], ...fields, ...written });
  });

  it.each<[id: CallerProtocolId, fields: object]>([
    ['openai-chat', { max_tokens: 500 }],
    ['openai-responses', { max_output_tokens: 20 }],
    ['anthropic-messages', { max_tokens: 500 }],
    ['gemini', { generationConfig: { maxOutputTokens: 500 } }],
  ])('output cap leaves the bytes of %s requests without a higher cap unchanged: %j', (id, fields) => {
    const body = JSON.stringify({ ...least[id], ...fields });
    expect(parse(id, body).encodeFor('m', undefined, cap).toString()).toBe(body);
  });

  it.each<[given: object, cap: typeof cap | undefined, written: object]>([
    [{}, cap, { max_completion_tokens: 500 }],
    [{ max_tokens: 900 }, cap, { max_completion_tokens: 500 }],
    [{ max_tokens: 400 }, cap, { max_completion_tokens: 400 }],
    [{ max_tokens: 400 }, undefined, { max_completion_tokens: 400 }],
    [{ max_completion_tokens: 400 }, undefined, { max_completion_tokens: 400 }],
    [{ max_tokens: 400, max_completion_tokens: 900 }, cap, { max_completion_tokens: 400 }],
    [{ max_tokens: null }, undefined, { max_tokens: null }],
    [{}, undefined, {}],
  ])(
    'encodeFor maps the caller cap of %j with the gateway cap %j to %j if the vendor accepts only max_completion_tokens',
    (given, cap, written) => {
      const dialect = { capField: 'max_completion_tokens' } as const;
      const sent = JSON.parse(parse('openai-chat', given).encodeFor('m', dialect, cap).toString());
      expect(sent).toEqual({ ...least['openai-chat'], ...written });
    },
  );
});

describe('requested output', () => {
  it.each<[id: CallerProtocolId, fields: object, output: object]>([
    ['openai-chat', {}, { tokensMax: null, thinkingTokens: 0, answers: 1 }],
    ['openai-chat', { max_tokens: 7, n: 3 }, { tokensMax: 7, thinkingTokens: 0, answers: 3 }],
    ['openai-chat', { reasoning: { max_tokens: 90 } }, { tokensMax: null, thinkingTokens: 90, answers: 1 }],
    ['openai-chat', { thinking: 'yes' }, { tokensMax: null, thinkingTokens: 0, answers: 1 }],
    ['openai-responses', { max_output_tokens: 7 }, { tokensMax: 7, thinkingTokens: 0, answers: 1 }],
    [
      'anthropic-messages',
      { max_tokens: 3_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
      { tokensMax: 3_000, thinkingTokens: 2_000, answers: 1 },
    ],
    [
      'gemini',
      { generationConfig: { maxOutputTokens: 9, candidateCount: 2, thinkingConfig: { thinkingBudget: -1 } } },
      { tokensMax: 9, thinkingTokens: 0, answers: 2 },
    ],
  ])('parsing a %s request reads the requested output of %j', (id, fields, output) => {
    expect(parse(id, fields).output).toEqual(output);
  });
});
