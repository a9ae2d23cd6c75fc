import { describe, expect, it } from 'vitest';
import { decode, decodingProblem } from './testing/exchange.ts';

const config = (generationConfig: object) => decode({ generationConfig });
const problemOf = (generationConfig: object) => decodingProblem({ generationConfig });

describe('generation settings', () => {
  it('decodeRequest reads limit, count, stop and sampling settings', () => {
    expect(
      config({
        temperature: 0,
        topP: 0.9,
        topK: 40,
        candidateCount: 2,
        maxOutputTokens: 100,
        stopSequences: ['a', 'b'],
        seed: 7,
        presencePenalty: 0.5,
        frequencyPenalty: -0.5,
        responseLogprobs: true,
        logprobs: 3,
      }),
    ).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      tools: [],
      outputTokensMax: 100,
      count: 2,
      stop: ['a', 'b'],
      sampling: {
        temperature: 0,
        topP: 0.9,
        topK: 40,
        seed: 7,
        presencePenalty: 0.5,
        frequencyPenalty: -0.5,
        topLogprobs: 3,
      },
      extensions: [],
    });
  });

  it('decodeRequest accepts settings in snake case', () => {
    const spelled = decode({
      generation_config: {
        top_p: 0.9,
        top_k: 40,
        max_output_tokens: 100,
        stop_sequences: 'END',
        candidate_count: 1,
      },
    });
    expect(spelled).toMatchObject({
      sampling: { topP: 0.9, topK: 40 },
      outputTokensMax: 100,
      stop: ['END'],
      count: 1,
    });
  });

  it('decodeRequest ignores settings that are null or missing', () => {
    const silent = decode();
    expect(config({ temperature: null, stopSequences: null, responseLogprobs: false })).toEqual(silent);
    expect(
      decode({ generationConfig: null, tools: null, toolConfig: null, systemInstruction: null }),
    ).toEqual(silent);
  });

  it('decodeRequest maps responseLogprobs without logprobs to 0 top logprobs', () => {
    expect(config({ responseLogprobs: true }).sampling).toEqual({ topLogprobs: 0 });
  });
});

describe('P5: response format', () => {
  const schema = { type: 'OBJECT', properties: { size: { type: 'INTEGER' } } };
  const jsonSchema = { type: 'object', properties: { size: { type: 'integer' } } };

  it.each([
    ['plain text', {}, undefined],
    ['an explicit text/plain', { responseMimeType: 'text/plain' }, undefined],
    ['JSON', { responseMimeType: 'application/json' }, { kind: 'json' }],
    [
      "JSON with Google's schema",
      { responseMimeType: 'application/json', responseSchema: schema },
      { kind: 'json-schema', name: 'answer', schema: jsonSchema },
    ],
    [
      'JSON with JSON Schema',
      { responseMimeType: 'application/json', responseJsonSchema: jsonSchema },
      { kind: 'json-schema', name: 'answer', schema: jsonSchema },
    ],
    [
      'a schema without a MIME type',
      { responseSchema: schema },
      { kind: 'json-schema', name: 'answer', schema: jsonSchema },
    ],
    [
      'both schemas, preferring JSON Schema',
      { responseSchema: {}, responseJsonSchema: jsonSchema },
      { kind: 'json-schema', name: 'answer', schema: jsonSchema },
    ],
  ])('decodeRequest reads the response format from: %s', (_kind, wanted, format) => {
    expect(config(wanted).responseFormat).toEqual(format);
  });

  it('decodeRequest reads name and description of the format from the schema', () => {
    const named = { ...jsonSchema, title: 'Size', description: 'How large it is' };
    expect(config({ responseJsonSchema: named }).responseFormat).toEqual({
      kind: 'json-schema',
      name: 'Size',
      description: 'How large it is',
      schema: named,
    });
    expect(config({ responseJsonSchema: { title: 'not a name' } }).responseFormat).toMatchObject({
      name: 'answer',
    });
  });

  it('decodeRequest accepts the format in snake case', () => {
    const spelled = decode({
      generation_config: { response_mime_type: 'application/json', response_schema: schema },
    });
    expect(spelled.responseFormat).toMatchObject({ kind: 'json-schema', schema: jsonSchema });
  });

  it.each(['text/x.enum', 'application/xml'])(
    'decodeRequest rejects the response MIME type %s with its param',
    (responseMimeType) => {
      expect(problemOf({ responseMimeType })).toMatchObject({ param: 'generationConfig.responseMimeType' });
    },
  );

  it.each([[['AUDIO']], [['TEXT', 'AUDIO']], [[3]]])(
    'decodeRequest rejects the response modalities %j with their param',
    (responseModalities) => {
      expect(problemOf({ responseModalities })).toMatchObject({
        param: 'generationConfig.responseModalities',
      });
    },
  );

  it.each([[[]], [['TEXT']], [['text']], [[1]], [null], [['TEXT', 'IMAGE']], [[2]]])(
    'decodeRequest accepts the response modalities %j',
    (responseModalities) => {
      expect(problemOf({ responseModalities })).toBeNull();
    },
  );
});

describe('G10: Google-only features', () => {
  it('decodeRequest rejects cachedContent, which changes the meaning of the request', () => {
    for (const field of ['cachedContent', 'cached_content'])
      expect(decodingProblem({ [field]: 'cachedContents/1' })).toMatchObject({
        code: 'invalid_request',
        param: 'cachedContent',
      });
  });

  it('decodeRequest lists omitted settings as extensions', () => {
    const fields = {
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
      labels: { team: 'a' },
      serviceTier: 'flex',
      generationConfig: {
        mediaResolution: 'HIGH',
        speechConfig: {},
        enableEnhancedCivicAnswers: false,
        audioTimestamp: null,
      },
    };
    expect(decode(fields).extensions).toEqual([
      'safetySettings',
      'labels',
      'serviceTier',
      'generationConfig.mediaResolution',
      'generationConfig.speechConfig',
    ]);
  });

  it("decodeRequest does not list Sluice's own fields as extensions", () => {
    expect(
      decode({ task_id: 3, format: 'minimal', metadata: { task_id: 4 }, model: 'models/x' }).extensions,
    ).toEqual([]);
  });
});

it('decodeRequest decodes tool results of calls in the history', () => {
  const contents = [
    { parts: [{ text: 'Go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: { id: 'LONG' } } }] },
    { parts: [{ functionResponse: { name: 'f', response: { id: 'LONG' } } }] },
  ];
  const { messages } = decode({ contents });
  const [, , turn] = messages;
  expect(JSON.stringify(turn)).toContain('LONG');
});
