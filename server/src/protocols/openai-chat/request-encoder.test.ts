import { describe, expect, it } from 'vitest';
import type { AssistantPart, Message, UserPart } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { encodeRequest } from './request-encoder.ts';

const plain: RequestTarget = {
  model: 'm',
  isStream: false,
  defaultOutputTokensMax: 4_096,
  isReasoningModel: false,
};
const reasoning: RequestTarget = {
  ...plain,
  model: 'o4-mini',
  isReasoningModel: true,
  dialect: { fitReasoningEffort: (_, effort) => effort },
};
const empty: CanonicalRequest = { messages: [], tools: [], stop: [], sampling: {}, extensions: [] };

interface Encoded {
  body: Record<string, unknown> & { messages: object[] };
  warnings: readonly string[];
}
const encode = (request: Partial<CanonicalRequest>, target = plain): Encoded => {
  const encoded = encodeRequest({ ...empty, ...request }, target);
  if (!encoded.ok) throw new Error(encoded.problem.message);
  // safe because the test checks the encoded shape
  return encoded as unknown as Encoded;
};
const fieldsOf = (request: Partial<CanonicalRequest>, target = plain) => {
  const { messages: _, model: __, ...fields } = encode(request, target).body;
  return fields;
};
const messagesOf = (messages: Message[], target = plain) => encode({ messages }, target).body.messages;
const problemOf = (request: Partial<CanonicalRequest>, target = plain) => {
  const encoded = encodeRequest({ ...empty, ...request }, target);
  return encoded.ok ? null : encoded.problem;
};

describe('encodeRequest', () => {
  it('encodeRequest adds nothing to a minimal request', () => {
    expect(encode({}).body).toEqual({ model: 'm', messages: [] });
  });

  it('encodeRequest requests usage of streams, except from vendors that always report it and may reject the field', () => {
    expect(fieldsOf({}, { ...plain, isStream: true })).toEqual({
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(fieldsOf({}, { ...plain, isStream: true, dialect: { tellsUsageUnasked: true } })).toEqual({
      stream: true,
    });
  });

  it.each<[request: Partial<CanonicalRequest>, fields: object]>([
    [{ outputTokensMax: 9 }, { max_tokens: 9 }],
    [{ count: 1 }, {}],
    [{ count: 2 }, { n: 2 }],
    [{ stop: ['a', 'b'] }, { stop: ['a', 'b'] }],
    [{ endUser: 'u' }, { user: 'u' }],
    [
      {
        sampling: {
          temperature: 0,
          topP: 0.5,
          seed: 0,
          presencePenalty: 0,
          frequencyPenalty: 1,
          logitBias: { 1: 2 },
        },
      },
      {
        temperature: 0,
        top_p: 0.5,
        seed: 0,
        presence_penalty: 0,
        frequency_penalty: 1,
        logit_bias: { 1: 2 },
      },
    ],
    [{ sampling: { topLogprobs: 0 } }, { logprobs: true }],
    [{ sampling: { topLogprobs: 3 } }, { logprobs: true, top_logprobs: 3 }],
    [{ responseFormat: { kind: 'json' } }, { response_format: { type: 'json_object' } }],
    [
      {
        responseFormat: {
          kind: 'json-schema',
          name: 's',
          schema: { type: 'object', properties: {} },
          isStrict: true,
          description: 'd',
        },
      },
      {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 's',
            description: 'd',
            schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
            strict: true,
          },
        },
      },
    ],
    [{ toolChoice: { kind: 'auto' }, isParallelToolUse: false }, {}],
  ])('encodeRequest writes %j as %j', (request, fields) => {
    expect(fieldsOf(request)).toEqual(fields);
  });

  it.each<[choice: CanonicalRequest['toolChoice'], written: unknown]>([
    [{ kind: 'auto' }, 'auto'],
    [{ kind: 'none' }, 'none'],
    [{ kind: 'required' }, 'required'],
    [
      { kind: 'tool', name: 'f' },
      { type: 'function', function: { name: 'f' } },
    ],
  ])('encodeRequest writes the tool choice %j as %j', (toolChoice, written) => {
    const tools = [{ name: 'f', parameters: { type: 'object' }, description: 'd', isStrict: false }];
    expect(fieldsOf({ tools, toolChoice, isParallelToolUse: false })).toEqual({
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: false },
        },
      ],
      tool_choice: written,
      parallel_tool_calls: false,
    });
  });

  it('encodeRequest warns about extensions', () => {
    expect(encode({ extensions: ['a', 'b'] }).warnings).toEqual(['a', 'b']);
  });

  it('encodeRequest omits top_k and the effort with a warning if the vendor has no dialect', () => {
    const { body, warnings } = encode({ sampling: { topK: 5 }, reasoning: { effort: 'high' } });
    expect(warnings).toEqual(['top_k', 'reasoning_effort']);
    expect(body).toEqual({ model: 'm', messages: [] });
  });
});

describe("encodeRequest for OpenAI's reasoning models", () => {
  it('encodeRequest writes the cap of reasoning models to max_completion_tokens', () => {
    expect(fieldsOf({ outputTokensMax: 9 }, reasoning)).toEqual({ max_completion_tokens: 9 });
  });

  it('encodeRequest writes system messages of reasoning models as developer messages', () => {
    expect(messagesOf([{ role: 'system', parts: [{ type: 'text', text: 'a' }] }], reasoning)).toEqual([
      { role: 'developer', content: 'a' },
    ]);
  });

  it("encodeRequest keeps only the seed of a reasoning model's sampling options and warns about the rest", () => {
    const sampling = {
      temperature: 1,
      topP: 1,
      seed: 7,
      presencePenalty: 0,
      frequencyPenalty: 0,
      topLogprobs: 2,
    };
    const { body, warnings } = encode({ sampling: { ...sampling, logitBias: {} } }, reasoning);
    expect(body).toEqual({ model: 'o4-mini', messages: [], seed: 7 });
    expect(warnings.toSorted()).toEqual(
      [
        'temperature',
        'top_p',
        'presence_penalty',
        'frequency_penalty',
        'logprobs',
        'top_logprobs',
        'logit_bias',
      ].toSorted(),
    );
  });

  it.each([
    [{ effort: 'high' }, 'high'],
    [{ budgetTokens: 1_024 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 32_000 }, 'high'],
    [{ budgetTokens: 0 }, 'none'],
    [{ effort: 'low', budgetTokens: 32_000 }, 'low'],
  ] as const)('encodeRequest maps the reasoning %j to %s', (wish, effort) => {
    expect(fieldsOf({ reasoning: wish }, reasoning)).toEqual({ reasoning_effort: effort });
  });

  it.each([
    [{ budgetTokens: 2_000 }, { reasoning: { max_tokens: 2_000 } }],
    [{ budgetTokens: 0 }, { reasoning_effort: 'none' }],
    [{ effort: 'low', budgetTokens: 32_000 }, { reasoning_effort: 'low' }],
  ] as const)('encodeRequest maps the reasoning %j to %j if the vendor accepts budgets', (wish, fields) => {
    const takesBudget = { ...reasoning, dialect: { ...reasoning.dialect, takesReasoningBudget: true } };
    expect(fieldsOf({ reasoning: wish }, takesBudget)).toEqual(fields);
  });

  it('encodeRequest writes no reasoning field if the request has no effort', () => {
    expect(fieldsOf({ reasoning: { isShown: true } }, reasoning)).toEqual({});
  });
});

describe('encodeRequest for vendors', () => {
  const isPicky = { fitReasoningEffort: () => null } satisfies RequestTarget['dialect'];

  it('encodeRequest leaves out reasoning for models without it, with a warning', () => {
    const { body, warnings } = encode({ reasoning: { effort: 'high' } }, { ...plain, dialect: isPicky });
    expect(body).not.toHaveProperty('reasoning_effort');
    expect(warnings).toEqual(['reasoning_effort']);
  });

  it('encodeRequest does not warn if reasoning is disabled for a model without it', () => {
    expect(encode({ reasoning: { effort: 'none' } }, { ...plain, dialect: isPicky }).warnings).toEqual([]);
    expect(encode({ reasoning: { effort: 'none' } }).warnings).toEqual([]);
  });

  it("encodeRequest writes the seed to the vendor's field", () => {
    expect(fieldsOf({ sampling: { seed: 7 } }, { ...plain, dialect: { seedField: 'random_seed' } })).toEqual({
      random_seed: 7,
    });
  });

  it('encodeRequest rejects JSON schemas for vendors without them and keeps plain JSON', () => {
    const target = { ...plain, dialect: { lacksJsonSchema: true } };
    const schema = { kind: 'json-schema', name: 's', schema: {} } as const;
    expect(problemOf({ responseFormat: schema }, target)).toMatchObject({
      code: 'invalid_request',
      param: 'response_format',
    });
    expect(problemOf({ responseFormat: { kind: 'json' } }, target)).toBeNull();
  });
});

describe('encodeRequest conversation', () => {
  const user = (...parts: UserPart[]): Message => ({ role: 'user', parts });
  const assistant = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  const call = (id: string, more: object = {}) =>
    ({ type: 'tool-call', id, name: 'f', arguments: '{"a":1}', ...more }) as const;
  const result = (callId: string, ...parts: Extract<UserPart, { type: 'tool-result' }>['parts']) =>
    ({ type: 'tool-result', callId, parts, isError: false }) as const;
  const image = { type: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } } as const;
  const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

  it('encodeRequest writes a single text as a string and several as a list', () => {
    expect(
      messagesOf([user(text('a')), user(text('a'), text('b')), { role: 'system', parts: [text('c')] }]),
    ).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'system', content: 'c' },
    ]);
  });

  it("encodeRequest writes one message per result before the user's text", () => {
    expect(
      messagesOf([user(result('c1', text('one')), result('c2', text('two'), text('more')), text('and?'))]),
    ).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: 'two\nmore' },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('encodeRequest moves images of results to a user message after all results, with a note on their origin', () => {
    expect(messagesOf([user(result('c1', image), result('c2', text('two'), image), text('and?'))])).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'See the attachments below.' },
      { role: 'tool', tool_call_id: 'c2', content: 'two' },
      {
        role: 'user',
        content: [
          text('Attachments of the tool call c1:'),
          imagePart,
          text('Attachments of the tool call c2:'),
          imagePart,
          text('and?'),
        ],
      },
    ]);
  });

  it('encodeRequest writes a text for failed and empty results', () => {
    expect(messagesOf([user({ ...result('c1', text('failed')), isError: true }, result('c2'))])).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'Tool error: failed' },
      { role: 'tool', tool_call_id: 'c2', content: '' },
    ]);
  });

  it('encodeRequest writes null as the text of a turn with only calls or a refusal', () => {
    expect(
      messagesOf([
        assistant(call('c1')),
        assistant(text('Let '), text('me see'), call('c1')),
        assistant({ type: 'refusal', text: 'no' }),
        assistant(),
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      {
        role: 'assistant',
        content: 'Let me see',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'assistant', content: null, refusal: 'no' },
      { role: 'assistant', content: '' },
    ]);
  });

  it.each<[name: string, part: UserPart, written: object]>([
    [
      'an image URL',
      { type: 'image', source: { kind: 'url', url: 'https://a/b' }, detail: 'low' },
      { type: 'image_url', image_url: { url: 'https://a/b', detail: 'low' } },
    ],
    ['an image as data', image, imagePart],
    [
      'a document as data, which needs a name',
      { type: 'document', source: { kind: 'data', mediaType: 'application/pdf', base64: 'AAAA' } },
      { type: 'file', file: { filename: 'document', file_data: 'data:application/pdf;base64,AAAA' } },
    ],
    [
      'an uploaded document',
      { type: 'document', source: { kind: 'file', fileId: 'file-1' }, name: 'a.pdf' },
      { type: 'file', file: { file_id: 'file-1', filename: 'a.pdf' } },
    ],
    [
      'a plain text document',
      { type: 'document', source: { kind: 'text', text: 'words' }, name: 'notes' },
      { type: 'text', text: 'notes\n\nwords' },
    ],
    [
      'MP3 audio',
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/mpeg', base64: 'AAAA' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ],
    [
      'WAV audio by its older name',
      { type: 'audio', source: { kind: 'data', mediaType: 'audio/x-wav', base64: 'AAAA' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ],
  ])('encodeRequest writes %s', (_, part, written) => {
    expect(messagesOf([user(text('look'), part)])).toEqual([
      { role: 'user', content: [text('look'), written] },
    ]);
  });

  it.each<[name: string, part: UserPart]>([
    ['a document URL', { type: 'document', source: { kind: 'url', url: 'https://a/b' } }],
    ['an audio URL', { type: 'audio', source: { kind: 'url', url: 'https://a/b' } }],
    ['an uploaded image', { type: 'image', source: { kind: 'file', fileId: 'f' } }],
    ['uploaded audio', { type: 'audio', source: { kind: 'file', fileId: 'f' } }],
  ])('encodeRequest rejects %s and asks for data', (_, part) => {
    expect(problemOf({ messages: [user(part)] })).toMatchObject({
      code: 'invalid_request',
      param: 'messages',
      message: expect.stringContaining('base64'),
    });
  });

  describe('reasoning of previous turns', () => {
    const thought: AssistantPart = { type: 'reasoning', text: 'hm', isRedacted: false };
    const turn = [assistant(thought, text('yes'))];
    const withField = (reasoningField: NonNullable<RequestTarget['dialect']>['reasoningField']) => ({
      ...plain,
      ...(reasoningField && { dialect: { reasoningField } }),
    });
    const takesDetails = { ...plain, dialect: { takesReasoningDetails: true } };

    it.each(['reasoning_content', 'reasoning'] as const)(
      'encodeRequest writes reasoning to the field %s',
      (field) => {
        expect(messagesOf(turn, withField(field))).toEqual([
          { role: 'assistant', content: 'yes', [field]: 'hm' },
        ]);
      },
    );

    it('encodeRequest writes reasoning as content parts for Mistral', () => {
      const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
      expect(messagesOf(turn, withField('thinking'))).toEqual([
        { role: 'assistant', content: [thinking, { type: 'text', text: 'yes' }] },
      ]);
      expect(messagesOf([assistant(thought, call('c1'))], withField('thinking'))).toMatchObject([
        { content: [thinking] },
      ]);
    });

    it('encodeRequest leaves out reasoning with a warning if the vendor does not accept it', () => {
      const { body, warnings } = encode({ messages: turn });
      expect(body.messages).toEqual([{ role: 'assistant', content: 'yes' }]);
      expect(warnings).toEqual(['reasoning of earlier turns']);
    });

    it('encodeRequest returns reasoning to its maker with its signature, unchanged', () => {
      const proof = { type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 };
      const hidden = { type: 'reasoning.encrypted', data: 'ZW5j', index: 1 };
      const signed = (value: object, words: string): AssistantPart => ({
        type: 'reasoning',
        text: words,
        isRedacted: words === '',
        signature: { protocol: 'openai-chat', value: JSON.stringify(value) },
      });
      const parts = [signed(proof, 'hm'), signed(hidden, ''), signed({ type: 'reasoning.summary' }, 'short')];
      expect(messagesOf([assistant(...parts, text('yes'))], takesDetails)).toEqual([
        {
          role: 'assistant',
          content: 'yes',
          reasoning_details: [
            { ...proof, text: 'hm' },
            hidden,
            { type: 'reasoning.summary', summary: 'short' },
          ],
        },
      ]);
    });

    it("encodeRequest leaves out another protocol's signature", () => {
      const foreign: AssistantPart = { ...thought, signature: { protocol: 'gemini', value: 'c2ln' } };
      const encoded = messagesOf(
        [assistant(foreign, call('c1', { signature: foreign.signature }))],
        withField('reasoning'),
      );
      expect(JSON.stringify(encoded)).not.toContain('c2ln');
      expect(encoded).toMatchObject([{ reasoning: 'hm' }]);
    });

    it('encodeRequest writes reasoning with a corrupted signature as text', () => {
      const spoilt: AssistantPart = { ...thought, signature: { protocol: 'openai-chat', value: '{"type":' } };
      expect(messagesOf([assistant(spoilt)], takesDetails)).toMatchObject([
        { reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
      ]);
    });

    it("encodeRequest writes back a vendor's extra content of calls", () => {
      const signature = { protocol: 'openai-chat', value: '{"vendor":1}' } as const;
      expect(
        messagesOf([
          assistant(call('c1', { signature }), call('c2', { signature: { ...signature, value: '7' } })),
        ]),
      ).toMatchObject([{ tool_calls: [{ extra_content: { vendor: 1 } }, { extra_content: {} }] }]);
    });
  });

  describe('encodeRequest pairs calls with results', () => {
    const idsOf = (id: string, target = plain) => {
      const [said, answered] = messagesOf([assistant(call(id)), user(result(id, text('one')))], target) as {
        tool_calls?: { id: string }[];
        tool_call_id?: string;
      }[]; // safe because any other shape fails the test
      return [said?.tool_calls?.[0]?.id, answered?.tool_call_id];
    };
    const mistral = { ...plain, dialect: { toolCallIds: 'nine-alphanumerics' } } as const;

    it.each(['c1', 'toolu_01L9pX1Wp4FAEq9TT2Z6UAe7', 'functions.add:0', 'x'.repeat(40)])(
      'encodeRequest pairs calls with results by the original id: %s',
      (id) => {
        expect(idsOf(id)).toEqual([id, id]);
      },
    );

    it('encodeRequest pairs calls with results by a shorter id if the original is too long', () => {
      const [said, answered] = idsOf('x'.repeat(41));
      expect(said).toMatch(/^call_\w{24}$/);
      expect(answered).toBe(said);
      expect(idsOf('x'.repeat(42))[0]).not.toBe(said);
    });

    it('encodeRequest pairs calls with results by nine letters and digits for Mistral, the same in every turn', () => {
      expect(idsOf('VzeppoSaq', mistral)).toEqual(['VzeppoSaq', 'VzeppoSaq']);
      const [said, answered] = idsOf('call_1', mistral);
      expect(said).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(answered).toBe(said);
      expect(idsOf('call_1', mistral)).toEqual([said, answered]);
      expect(idsOf('call_2', mistral)[0]).not.toBe(said);
    });
  });
});
