import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import { encodeFor, encodingProblem, secondGeneration, thirdGeneration } from './testing/exchange.ts';

const configOf = (wishes: Partial<CanonicalRequest>, model = secondGeneration) =>
  encodeFor(model, wishes).body.generationConfig;
const now: Tool = { name: 'now', parameters: { type: 'object', properties: {} } };
const schema = { $schema: 's', type: 'object', properties: { size: { type: ['integer', 'null'] } } };
const format = { kind: 'json-schema', name: 'answer', schema } as const;

describe('a request for a provider', () => {
  it('names neither model nor streaming, which stand in the URL', () => {
    expect(encodeFor(secondGeneration).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    });
  });

  it('P1, P2, P3, P6: has a field for each setting', () => {
    expect(
      configOf({
        outputTokensMax: 100,
        count: 2,
        stop: ['a', 'b'],
        sampling: {
          temperature: 2,
          topP: 0.9,
          topK: 40,
          seed: 7,
          presencePenalty: 0.5,
          frequencyPenalty: -0.5,
        },
      }),
    ).toEqual({
      maxOutputTokens: 100,
      candidateCount: 2,
      stopSequences: ['a', 'b'],
      temperature: 2,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: -0.5,
    });
  });

  it('P1: without a cap has none, since Google demands none', () => {
    expect(configOf({ sampling: { temperature: 1 } })).toEqual({ temperature: 1 });
  });

  it('one answer is what everyone gets', () => {
    expect(configOf({ count: 1, outputTokensMax: 5 })).toEqual({ maxOutputTokens: 5 });
  });

  it('P3: takes five stop sequences, and no more', () => {
    expect(configOf({ stop: ['1', '2', '3', '4', '5'] })).toEqual({
      stopSequences: ['1', '2', '3', '4', '5'],
    });
    expect(encodingProblem(secondGeneration, { stop: ['1', '2', '3', '4', '5', '6'] })).toMatchObject({
      code: 'invalid_request',
      param: 'stop',
    });
  });

  it.each<[string, Partial<CanonicalRequest>]>([
    ['logit_bias', { sampling: { logitBias: { '50256': -100 } } }],
    ['logprobs', { sampling: { topLogprobs: 0 } }],
    ['user', { endUser: 'u1' }],
    ['messages.name', { messages: [{ role: 'user', name: 'Ann', parts: [{ type: 'text', text: 'Hi' }] }] }],
    [
      'detail',
      {
        messages: [
          {
            role: 'user',
            parts: [
              {
                type: 'image',
                source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' },
                detail: 'high',
              },
            ],
          },
        ],
      },
    ],
    [
      'filename',
      {
        messages: [
          {
            role: 'user',
            parts: [
              {
                type: 'document',
                source: { kind: 'data', mediaType: 'application/pdf', base64: 'AAAA' },
                name: 'a.pdf',
              },
            ],
          },
        ],
      },
    ],
    ['prompt_cache_key', { extensions: ['prompt_cache_key'] }],
  ])('G10: %s is left out with a warning', (name, wishes) => {
    expect(encodeFor(secondGeneration, wishes).warnings).toEqual([name]);
  });

  it.each<[string, Partial<CanonicalRequest>]>([
    ['no bias at all', { sampling: { logitBias: {} } }],
    [
      'the detail that everyone gets',
      {
        messages: [
          {
            role: 'user',
            parts: [
              {
                type: 'image',
                source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' },
                detail: 'auto',
              },
            ],
          },
        ],
      },
    ],
    [
      'a document of text, which carries its name',
      {
        messages: [
          { role: 'user', parts: [{ type: 'document', source: { kind: 'text', text: 't' }, name: 'a' }] },
        ],
      },
    ],
  ])('%s is no loss', (_kind, wishes) => {
    expect(encodeFor(secondGeneration, wishes).warnings).toEqual([]);
  });

  it('a warning is given once', () => {
    expect(encodeFor(secondGeneration, { endUser: 'u', extensions: ['user', 'user'] }).warnings).toEqual([
      'user',
    ]);
  });
});

describe('P5: the format of the answer', () => {
  it('is JSON, or JSON by a schema that is fitted', () => {
    expect(configOf({ responseFormat: { kind: 'json' } })).toEqual({ responseMimeType: 'application/json' });
    expect(configOf({ responseFormat: format })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { size: { type: ['integer', 'null'] } } },
    });
  });

  it('may stand beside tools in the third generation', () => {
    expect(configOf({ responseFormat: format, tools: [now] }, thirdGeneration)).toHaveProperty(
      'responseJsonSchema',
    );
  });

  it('may not before it, which is said by name', () => {
    for (const toolChoice of [undefined, { kind: 'auto' }, { kind: 'none' }] as const)
      expect(
        encodingProblem(secondGeneration, {
          responseFormat: format,
          tools: [now],
          ...(toolChoice && { toolChoice }),
        }),
      ).toMatchObject({ param: 'response_format' });
  });

  it('has nothing to shape where a call is forced', () => {
    for (const toolChoice of [{ kind: 'required' }, { kind: 'tool', name: 'now' }] as const)
      expect(
        encodeFor(secondGeneration, { responseFormat: format, tools: [now], toolChoice }).body,
      ).not.toHaveProperty('generationConfig');
  });
});
