import fc from 'fast-check';
import type {
  AssistantPart,
  AudioPart,
  DocumentPart,
  ImagePart,
  MediaSource,
  Message,
  ProtocolId,
  ReasoningPart,
  Signature,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/content.ts';
import type {
  CanonicalRequest,
  ReasoningOptions,
  ResponseFormat,
  Sampling,
  Tool,
  ToolChoice,
} from '../../canonical/request.ts';
import type { CanonicalResponse, Choice, Finish } from '../../canonical/response.ts';
import type { Usage } from '../../canonical/usage.ts';

const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('data: [DONE]', '\n\n', '"}', '\\u0000', '{"a":1}', '{"output":"x"}', '{}', '😀é漢'),
);
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
const jsonObject = fc.dictionary(
  name,
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })),
  { maxKeys: 3 },
);
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
const hundredths = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100 || 0);

const text: fc.Arbitrary<TextPart> = words.map((value) => ({ type: 'text', text: value }));

const source = (mediaType: string, extension: string): fc.Arbitrary<MediaSource> =>
  fc.oneof(
    base64.map((data): MediaSource => ({ kind: 'data', mediaType, base64: data })),
    name.map((file): MediaSource => ({ kind: 'file', fileId: `gs://bucket/${file}.${extension}` })),
    name.map(
      (file): MediaSource => ({
        kind: 'url',
        url: `https://storage.googleapis.com/${file}.${extension}`,
      }),
    ),
  );
const image: fc.Arbitrary<ImagePart> = source('image/webp', 'webp').map((from) => ({
  type: 'image',
  source: from,
}));
const document: fc.Arbitrary<DocumentPart> = source('application/pdf', 'pdf').map((from) => ({
  type: 'document',
  source: from,
}));
const audio: fc.Arbitrary<AudioPart> = source('audio/wav', 'wav').map((from) => ({
  type: 'audio',
  source: from,
}));

const own: fc.Arbitrary<Signature> = base64.map((value) => ({ protocol: 'gemini', value }));
const foreign: fc.Arbitrary<Signature> = fc.record(
  {
    protocol: fc.constantFrom<ProtocolId>('anthropic-messages', 'openai-chat', 'openai-responses', 'ollama'),
    value: words,
    id: name,
  },
  { requiredKeys: ['protocol', 'value'] },
);

const shown = (proofs: fc.Arbitrary<Signature>): fc.Arbitrary<ReasoningPart> =>
  fc
    .tuple(words, proofs)
    .map(([thought, signature]) => ({ type: 'reasoning', text: thought, isRedacted: false, signature }));
const hidden = (proofs: fc.Arbitrary<Signature>): fc.Arbitrary<ReasoningPart> =>
  proofs.map((signature) => ({ type: 'reasoning', text: '', isRedacted: true, signature }));
const unsigned: fc.Arbitrary<ReasoningPart> = words.map((thought) => ({
  type: 'reasoning',
  text: thought,
  isRedacted: false,
}));

/** `proofs` generates the signatures. */
const said = (
  proofs: fc.Arbitrary<Signature>,
  hiddenProofs: fc.Arbitrary<Signature> | null,
): fc.Arbitrary<AssistantPart[]> =>
  fc
    .record({
      thoughts: fc.oneof(
        fc.constant<ReasoningPart[]>([]),
        fc.tuple(unsigned),
        fc.tuple(shown(proofs), unsigned),
        ...(hiddenProofs ? [fc.tuple(hidden(hiddenProofs), shown(proofs))] : []),
      ),
      said: fc.oneof(
        fc.constant<AssistantPart[]>([]),
        fc.tuple(text),
        fc.tuple(text, hidden(own)),
        fc.tuple(hidden(own)),
      ),
      calls: fc.array(fc.tuple(name, jsonObject, fc.option(proofs, { nil: undefined })), { maxLength: 3 }),
    })
    .map(({ thoughts, said: texts, calls }) => [
      ...thoughts,
      ...texts,
      ...calls.map(
        ([called, input, signature], index): ToolCallPart => ({
          type: 'tool-call',
          id: `${called}_${index}`,
          name: called,
          arguments: JSON.stringify(input),
          ...(signature && { signature }),
        }),
      ),
    ]);

const exchange: fc.Arbitrary<Message[]> = fc
  .record({
    asked: fc.array(fc.oneof(text, image, document, audio), { minLength: 1, maxLength: 3 }),
    answered: said(own, null).filter((parts) => parts.length > 0),
    texts: fc.array(text, { maxLength: 1 }),
    attached: fc.array(fc.oneof(image, document), { maxLength: 2 }),
    isError: fc.boolean(),
  })
  .map(({ asked, answered, texts, attached, isError }, index = 0) => {
    const unique = answered.map((part) =>
      part.type === 'tool-call' ? { ...part, id: `${part.id}_${index}` } : part,
    );
    const results = unique.flatMap((part): ToolResultPart[] =>
      part.type === 'tool-call'
        ? [{ type: 'tool-result', callId: part.id, name: part.name, parts: [...texts, ...attached], isError }]
        : [],
    );
    return [
      { role: 'user', parts: asked },
      { role: 'assistant', parts: unique },
      ...(results.length > 0 ? [{ role: 'user', parts: results } as const] : []),
    ];
  });

const messages: fc.Arbitrary<Message[]> = fc
  .record({
    system: fc.array(text, { maxLength: 2 }),
    turns: fc.array(exchange, { maxLength: 2 }),
    question: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 2 }),
  })
  .map(({ system, turns, question }) => {
    const ending = turns.at(-1)?.at(-1);
    const asked = { role: 'user', parts: question } as const;
    return [
      ...(system.length > 0 ? [{ role: 'system', parts: system } as const] : []),
      ...joinUsers(turns.flatMap((turn, index) => renumber(turn, index))),
      ...(ending?.role === 'user' ? [] : [asked]),
    ];
  });

function renumber(turn: readonly Message[], index: number): Message[] {
  return turn.map((message): Message => {
    if (message.role === 'assistant')
      return {
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'tool-call' ? { ...part, id: `t${index}_${part.id}` } : part,
        ),
      };
    if (message.role === 'system') return message;
    return {
      ...message,
      parts: message.parts.map((part) =>
        part.type === 'tool-result' ? { ...part, callId: `t${index}_${part.callId}` } : part,
      ),
    };
  });
}

// Google treats consecutive user turns as one.
function joinUsers(turns: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const turn of turns) {
    const latest = joined.at(-1);
    if (latest?.role === 'user' && turn.role === 'user')
      joined[joined.length - 1] = { role: 'user', parts: [...latest.parts, ...turn.parts] };
    else joined.push(turn);
  }
  return joined;
}

const tool: fc.Arbitrary<Tool> = fc.record(
  {
    name,
    description: words,
    parameters: fc
      .dictionary(name, fc.constantFrom({ type: 'string' }, { type: 'object', properties: {} }), {
        maxKeys: 2,
      })
      .map((properties) => ({ type: 'object', properties })),
  },
  { requiredKeys: ['name', 'parameters'] },
);

const toolFields = fc.oneof(
  fc.constant({ tools: [] as Tool[] }),
  fc
    .tuple(
      fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
      fc.constantFrom<'auto' | 'none' | 'required' | 'first' | undefined>(
        'auto',
        'none',
        'required',
        'first',
        undefined,
      ),
    )
    .map(([tools, choice]) => ({
      // Keep only the chosen tool, like the decoder.
      tools: choice === 'first' ? tools.slice(0, 1) : tools,
      ...(choice && { toolChoice: toChoice(choice, tools) }),
    })),
);

function toChoice(choice: 'auto' | 'none' | 'required' | 'first', [first]: readonly Tool[]): ToolChoice {
  return choice === 'first' ? { kind: 'tool', name: first?.name ?? '' } : { kind: choice };
}

const sampling: fc.Arbitrary<Sampling> = fc.record(
  {
    temperature: hundredths(0, 2),
    topP: hundredths(0, 1),
    topK: fc.nat(100),
    seed: fc.integer(),
    presencePenalty: hundredths(-2, 2),
    frequencyPenalty: hundredths(-2, 2),
  },
  { requiredKeys: [] },
);

const responseFormat: fc.Arbitrary<ResponseFormat> = fc.oneof(
  fc.constant<ResponseFormat>({ kind: 'json' }),
  fc.tuple(name, words).map(
    ([title, description]): ResponseFormat => ({
      kind: 'json-schema',
      name: title,
      description,
      schema: { type: 'object', title, description, properties: { [title]: { type: 'string' } } },
    }),
  ),
);

const reasoning: fc.Arbitrary<ReasoningOptions> = fc.oneof(
  fc.record({ effort: fc.constantFrom('minimal', 'low', 'medium', 'high'), isShown: fc.boolean() }),
  fc.record({ budgetTokens: fc.integer({ min: 1, max: 30_000 }), isShown: fc.boolean() }),
  fc.record({ isShown: fc.boolean() }),
);

export const canonicalRequest: fc.Arbitrary<CanonicalRequest> = fc
  .tuple(
    fc.record(
      {
        messages,
        // Lower caps would limit the thinking (see `thinking.ts`).
        outputTokensMax: fc.integer({ min: 50_000, max: 100_000 }),
        count: fc.integer({ min: 2, max: 8 }),
        stop: fc.array(words, { maxLength: 5 }),
        sampling,
        responseFormat,
        reasoning,
        extensions: fc.constant([]),
      },
      { requiredKeys: ['messages', 'stop', 'sampling', 'extensions'] },
    ),
    toolFields,
  )
  .map(([rest, tools]) => ({ ...rest, ...tools }));

const tokens = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({ inputTokens: tokens, cacheReadTokens: tokens, outputTokens: tokens })
  .chain((told) =>
    fc.nat(told.outputTokens).map((reasoningTokens) => ({ ...told, cacheWriteTokens: 0, reasoningTokens })),
  );

const anyone = fc.oneof(own, foreign);
const finishes: readonly Finish[] = [
  { reason: 'length', native: 'MAX_TOKENS' },
  { reason: 'content-filter', native: 'RECITATION' },
  { reason: 'error', native: 'MALFORMED_FUNCTION_CALL' },
];

const choice: fc.Arbitrary<Choice> = fc
  .record({
    parts: said(anyone, foreign),
    refusal: fc.option(words),
    finish: fc.constantFrom(null, ...finishes),
  })
  .map(({ parts, refusal, finish }): Choice => {
    if (refusal !== null)
      return {
        parts: [...parts, { type: 'refusal', text: refusal }],
        finish: { reason: 'content-filter', native: 'SAFETY' },
      };
    const hasCalls = parts.some(({ type }) => type === 'tool-call');
    return { parts, finish: finish ?? { reason: hasCalls ? 'tool-calls' : 'stop', native: 'STOP' } };
  });

export const canonicalResponse: fc.Arbitrary<CanonicalResponse> = fc.record({
  id: name,
  model: name,
  createdAtSeconds: fc.option(fc.nat()),
  choices: fc.oneof(fc.tuple(choice), fc.tuple(choice, choice)),
  usage: fc.option(usage),
});
