import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import { encodeFor, encodingProblem, secondGeneration, thirdGeneration } from './testing/exchange.ts';

const configOf = (overrides: Partial<CanonicalRequest>, model = secondGeneration) =>
  encodeFor(model, overrides).body.generationConfig;
const now: Tool = { name: 'now', parameters: { type: 'object', properties: {} } };
const schema = { $schema: 's', type: 'object', properties: { size: { type: ['integer', 'null'] } } };
const format = { kind: 'json-schema', name: 'answer', schema } as const;

describe('encodeRequest', () => {
  it('encodeRequest sends neither model nor stream, which are part of the URL', () => {
    expect(encodeFor(secondGeneration).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    });
  });

  it('P1, P2, P3, P6: encodeRequest sends limit, count, stop and sampling settings', () => {
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

  it('P1: encodeRequest sends no output token limit by default', () => {
    expect(configOf({ sampling: { temperature: 1 } })).toEqual({ temperature: 1 });
  });

  it('encodeRequest omits a count of 1', () => {
    expect(configOf({ count: 1, outputTokensMax: 5 })).toEqual({ maxOutputTokens: 5 });
  });

  it('P3: encodeRequest rejects more than five stop sequences', () => {
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
  ])('G10: encodeRequest omits %s with a warning', (name, overrides) => {
    expect(encodeFor(secondGeneration, overrides).warnings).toEqual([name]);
  });

  it.each<[string, Partial<CanonicalRequest>]>([
    ['empty logit_bias', { sampling: { logitBias: {} } }],
    [
      'image detail auto',
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
      'filename of a text document',
      {
        messages: [
          { role: 'user', parts: [{ type: 'document', source: { kind: 'text', text: 't' }, name: 'a' }] },
        ],
      },
    ],
  ])('encodeRequest returns no warning for %s', (_kind, overrides) => {
    expect(encodeFor(secondGeneration, overrides).warnings).toEqual([]);
  });

  it('encodeRequest returns each warning once', () => {
    expect(encodeFor(secondGeneration, { endUser: 'u', extensions: ['user', 'user'] }).warnings).toEqual([
      'user',
    ]);
  });
});

describe('P5: response format', () => {
  it('encodeRequest sends the JSON format and a converted JSON schema', () => {
    expect(configOf({ responseFormat: { kind: 'json' } })).toEqual({ responseMimeType: 'application/json' });
    expect(configOf({ responseFormat: format })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { size: { type: ['integer', 'null'] } } },
    });
  });

  it('encodeRequest sends a format with tools to third-generation models', () => {
    expect(configOf({ responseFormat: format, tools: [now] }, thirdGeneration)).toHaveProperty(
      'responseJsonSchema',
    );
  });

  it('encodeRequest rejects a format with tools for older models', () => {
    for (const toolChoice of [undefined, { kind: 'auto' }, { kind: 'none' }] as const)
      expect(
        encodingProblem(secondGeneration, {
          responseFormat: format,
          tools: [now],
          ...(toolChoice && { toolChoice }),
        }),
      ).toMatchObject({ param: 'response_format' });
  });

  it('encodeRequest omits the format for older models if a tool call is forced', () => {
    for (const toolChoice of [{ kind: 'required' }, { kind: 'tool', name: 'now' }] as const)
      expect(
        encodeFor(secondGeneration, { responseFormat: format, tools: [now], toolChoice }).body,
      ).not.toHaveProperty('generationConfig');
  });
});
