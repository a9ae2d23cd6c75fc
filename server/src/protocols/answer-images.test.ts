import { describe, expect, it } from 'vitest';
import { providers } from '#providers/registry.ts';
import { replayStream } from '#test/providers/replay-stream.ts';
import { answerContext, callerProtocols } from '#test/requests/through-callers.ts';
import type { ProtocolId } from './canonical/content.ts';
import type { StreamEvent } from './canonical/stream-event.ts';
import type { Protocol, ProviderSide, RequestTarget } from './protocol.ts';
import { protocols } from './registry.ts';
import { describeTarget, upstreams } from './testing/translation/page.ts';
import { collectChoices } from './translation/collect-choices.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC';
const pngUrl = `data:image/png;base64,${png}`;
const usage = {
  prompt_tokens: 5,
  completion_tokens: 1300,
  total_tokens: 1305,
  completion_tokens_details: { image_tokens: 1290 },
};
const details = { candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }] };
const usageMetadata = {
  promptTokenCount: 5,
  candidatesTokenCount: 1300,
  totalTokenCount: 1305,
  ...details,
};
const inlineData = { mimeType: 'image/png', data: png };
const chatImage = { type: 'image_url', image_url: { url: pngUrl } };
const imageCall = { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: png };
const response = {
  id: 'resp_1',
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'Here:' }] }, imageCall],
  usage: {
    input_tokens: 5,
    output_tokens: 1300,
    output_tokens_details: { image_tokens: 1290 },
  },
};

interface Source {
  readonly name: string;
  readonly id: ProtocolId;
  readonly whole: object;
  readonly events: readonly object[];
}

const sources: readonly Source[] = [
  {
    name: 'inlineData of Gemini',
    id: 'gemini',
    whole: {
      candidates: [{ content: { parts: [{ text: 'Here:' }, { inlineData }] }, finishReason: 'STOP' }],
      usageMetadata,
    },
    events: [
      { candidates: [{ content: { parts: [{ text: 'Here:' }] } }] },
      { candidates: [{ content: { parts: [{ inlineData }] } }] },
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }], usageMetadata },
    ],
  },
  {
    name: 'images of OpenRouter',
    id: 'openai-chat',
    whole: {
      choices: [
        {
          message: { role: 'assistant', content: 'Here:', images: [{ ...chatImage, index: 0 }] },
          finish_reason: 'stop',
        },
      ],
      usage,
    },
    events: [
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'Here:' } }] },
      { choices: [{ index: 0, delta: { content: '', images: [{ ...chatImage, index: 0 }] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage },
    ],
  },
  {
    name: 'image parts in the content of chat completions',
    id: 'openai-chat',
    whole: {
      choices: [
        { message: { content: [{ type: 'text', text: 'Here:' }, chatImage] }, finish_reason: 'stop' },
      ],
      usage,
    },
    events: [
      { choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'Here:' }] } }] },
      { choices: [{ index: 0, delta: { content: [chatImage] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage },
    ],
  },
  {
    name: 'image_generation_call of Responses',
    id: 'openai-responses',
    whole: response,
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...response.output.flatMap((item, output_index) => [
        {
          type: 'response.output_item.added',
          output_index,
          item: { ...item, content: [], result: null },
        },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response },
    ],
  },
];

const sideOf = (id: ProtocolId): ProviderSide => protocols[id].provider;
const toStream = (events: readonly object[]) =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

function summarize(events: Pick<ReturnType<typeof collectChoices>[number], 'parts'> | undefined) {
  const parts = events?.parts ?? [];
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    images: parts.flatMap((part) =>
      part.type === 'image' && part.source.kind === 'data'
        ? [`${part.source.mediaType} ${part.source.base64}`]
        : [],
    ),
  };
}

const seen = { text: 'Here:', images: [`image/png ${png}`] };
const byteCount = Math.floor((png.length * 3) / 4);
const told = {
  text: `Here:[The model returned an image: image/png, ${byteCount} bytes, which this API cannot contain. Chat completions, Responses and Gemini's API can.]`,
  images: [],
};
const pairs = sources.flatMap((source) => callerProtocols.map((caller) => ({ ...source, caller })));

describe('generated images', () => {
  it.each(sources)(
    '$name: an image and its tokens are decoded, from complete and streamed responses',
    ({ id, whole, events }) => {
      const read = sideOf(id).decodeResponse(Buffer.from(JSON.stringify(whole)));
      expect(summarize(read?.choices[0])).toEqual(seen);
      expect(read?.usage).toMatchObject({ outputTokens: 1300, imageOutputTokens: 1290 });
      const streamed = replayStream(sideOf(id), toStream(events));
      expect(summarize(collectChoices(streamed)[0])).toEqual(seen);
      const last = streamed.findLast((event) => event.type === 'usage');
      expect(last?.usage).toMatchObject({ outputTokens: 1300, imageOutputTokens: 1290 });
    },
  );

  it.each(pairs)(
    'an image from $name reaches callers of $caller.id as an image or a placeholder, complete and streamed',
    ({ id, whole, events, caller: { id: callerId, caller, provider } }) => {
      const expected = caller.lacksImages ? told : seen;
      const read = sideOf(id).decodeResponse(Buffer.from(JSON.stringify(whole)));
      const sent = Buffer.from(JSON.stringify(caller.encodeResponse(read!, answerContext)));
      expect(summarize(provider.decodeResponse(sent)?.choices[0])).toEqual(expected);
      const encoder = caller.createStreamEncoder(answerContext);
      const encode = (event: StreamEvent) => encoder.encode(event);
      const decoded = replayStream(sideOf(id), toStream(events));
      const ended = decoded.at(-1)?.type === 'end' ? decoded : [...decoded, { type: 'end' } as const];
      const back = replayStream(provider, Buffer.from(ended.map(encode).join('')));
      expect(summarize(collectChoices(back)[0])).toEqual(expected);
      if (callerId !== 'anthropic-messages')
        expect(back.findLast((event) => event.type === 'usage')?.usage.imageOutputTokens).toBe(1290);
    },
  );

  it.each<[id: 'openai-chat' | 'gemini' | 'openai-responses', field: object]>([
    ['openai-chat', { images: [{ ...chatImage, index: 0 }] }],
    ['gemini', { parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }],
    ['openai-responses', { type: 'image_generation_call', result: png, output_format: 'png' }],
  ])('callers of %s get an image in the format of their API', (id, field) => {
    const { caller }: Protocol = protocols[id];
    const parts = [
      { type: 'image' as const, source: { kind: 'data' as const, mediaType: 'image/png', base64: png } },
    ];
    const choices = [{ parts, finish: { reason: 'stop' as const, native: null } }];
    const answer = { id: null, model: null, createdAtSeconds: null, choices, usage: null };
    const sent = JSON.parse(JSON.stringify(caller?.encodeResponse(answer, answerContext)));
    const place = { 'openai-chat': sent.choices?.[0].message, gemini: sent.candidates?.[0].content };
    expect({ ...place, 'openai-responses': sent.output?.[0] }[id]).toMatchObject(field);
  });

  it('images in thoughts are not part of the response', () => {
    const parts = [{ inlineData, thought: true }, { text: 'Here:' }, { inlineData }];
    const whole = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
    const read = sideOf('gemini').decodeResponse(Buffer.from(JSON.stringify(whole)));
    expect(summarize(read?.choices[0])).toEqual(seen);
  });

  it('a file other than an image is replaced by a placeholder', () => {
    const parts = [{ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }];
    const whole = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
    const read = sideOf('gemini').decodeResponse(Buffer.from(JSON.stringify(whole)));
    expect(summarize(read?.choices[0]).text).toContain('audio/wav, 3 bytes');
  });

  it('images of a Responses stream beyond 32 MiB are replaced by placeholders', () => {
    const base64 = 'A'.repeat(20 * 1024 * 1024);
    const image = {
      type: 'image' as const,
      source: { kind: 'data' as const, mediaType: 'image/png', base64 },
    };
    const encoder = protocols['openai-responses'].caller.createStreamEncoder(answerContext);
    encoder.encode({ type: 'image', choice: 0, block: 0, image });
    const second = encoder.encode({ type: 'image', choice: 0, block: 1, image });
    expect(second.length).toBeLessThan(10_000);
    expect(second).toContain('15,728,640 bytes');
  });
});

const histories: Partial<Record<ProtocolId, object>> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: 'Here:', images: [chatImage] },
      { role: 'user', content: 'Larger' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Here:' }] },
      imageCall,
      { role: 'user', content: 'Larger' },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'Draw' }] },
      { role: 'model', parts: [{ text: 'Here:' }, { inlineData }] },
      { role: 'user', parts: [{ text: 'Larger' }] },
    ],
  },
};

const targets = [
  // safe because the keys of the record are the protocols
  ...(Object.entries(upstreams) as [ProtocolId, (typeof upstreams)[ProtocolId]][]).map(
    ([protocol, { key, service, model }]) => ({ protocol, key, service, model }),
  ),
  {
    protocol: 'openai-chat' as const,
    key: 'openrouter' as const,
    service: providers.openrouter.chat,
    model: 'google/gemini-2.5-flash-image',
  },
];

function encode(id: ProtocolId, { protocol, ...target }: (typeof targets)[number], facts: object) {
  const body = { model: 'm', ...histories[id] };
  const { caller }: Protocol = protocols[id];
  const parsed = caller?.parseRequest(Buffer.from(JSON.stringify(body)), { model: 'm', isStream: false });
  const decoded = parsed?.ok ? parsed.request.toCanonical() : parsed;
  if (!decoded?.ok) throw new Error(JSON.stringify(decoded));
  const plain = describeTarget(target.key, target.service, target.model);
  const encoding: RequestTarget = { ...plain, facts: { ...plain.facts, ...facts }, isStream: false };
  return sideOf(protocol).encodeRequest(decoded.request, encoding);
}

const returns = Object.keys(histories).flatMap((id) =>
  targets.map((target) => ({ id: id as ProtocolId, target, name: `${target.key} ${target.protocol}` })),
);

describe('images of earlier turns', () => {
  it.each(returns)('an image in a history of $id is sent to $name', ({ id, target }) => {
    const encoded = encode(id, target, { vision: true });
    if (!encoded.ok) throw new Error(encoded.problem.message);
    expect(JSON.stringify(encoded.body)).toContain(png);
    expect(encoded.warnings).not.toContain('images of earlier turns');
    const isInPlace = target.protocol === 'gemini' || target.key === 'openrouter';
    expect(JSON.stringify(encoded.body).includes('Images of the previous answer:')).toBe(!isInPlace);
  });

  it.each(returns.filter(({ target }) => target.protocol !== 'gemini' && target.key !== 'openrouter'))(
    'an image in a history of $id is left out with a warning for a model of $name without vision',
    ({ id, target }) => {
      const encoded = encode(id, target, { vision: false });
      expect(encoded.ok && encoded.warnings).toContain('images of earlier turns');
      expect(JSON.stringify(encoded)).not.toContain(png);
    },
  );

  const signature = { protocol: 'gemini' as const, value: 'c2lnbmF0dXJlIG9mIEdvb2dsZQ==' };
  const signedPart = { inlineData, thoughtSignature: signature.value };
  it.each(callerProtocols.filter(({ caller }) => !caller.lacksImages))(
    'the signature of an image is sent back to Google in the next request of callers of $id',
    ({ id, caller }) => {
      const whole = { candidates: [{ content: { parts: [signedPart] }, finishReason: 'STOP' }] };
      const read = sideOf('gemini').decodeResponse(Buffer.from(JSON.stringify(whole)));
      const sent = JSON.parse(JSON.stringify(caller.encodeResponse(read!, answerContext)));
      const said = {
        'openai-chat': { messages: [{ role: 'user', content: 'Draw' }, sent.choices?.[0].message] },
        'openai-responses': { input: [{ role: 'user', content: 'Draw' }, ...(sent.output ?? [])] },
        gemini: { contents: [{ parts: [{ text: 'Draw' }] }, sent.candidates?.[0].content] },
      };
      const body = { model: 'm', ...said[id as keyof typeof said] };
      const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)), { model: 'm', isStream: false });
      const decoded = parsed.ok ? parsed.request.toCanonical() : parsed;
      if (!decoded.ok) throw new Error(JSON.stringify(decoded));
      const target = {
        ...describeTarget('google', providers.google.chat, 'gemini-3-pro-image'),
        isStream: false,
      };
      const encoded = sideOf('gemini').encodeRequest(decoded.request, target);
      expect(encoded.ok && encoded.body).toMatchObject({
        contents: [{ role: 'user' }, { role: 'model', parts: [signedPart] }],
      });
    },
  );
});

describe('images of earlier turns within one protocol', () => {
  it.each(['openai', 'mistral', 'groq', 'deepseek', 'xai'] as const)(
    'an image in a response moves to the next user message for %s',
    (key) => {
      const body = { model: 'm', ...histories['openai-chat'] };
      const parsed = protocols['openai-chat'].caller.parseRequest(Buffer.from(JSON.stringify(body)));
      if (!parsed.ok) throw new Error(parsed.problem.message);
      const sent = JSON.parse(parsed.request.encodeFor('m', providers[key].chat.dialect).toString());
      expect(sent.messages).toEqual([
        { role: 'user', content: 'Draw' },
        { role: 'assistant', content: 'Here:' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Images of the previous answer:' },
            chatImage,
            { type: 'text', text: 'Larger' },
          ],
        },
      ]);
    },
  );

  it.each(['openrouter', 'custom', 'vllm'] as const)(
    'an image in a response stays in the assistant message for %s',
    (key) => {
      const bytes = Buffer.from(JSON.stringify({ model: 'm', ...histories['openai-chat'] }));
      const parsed = protocols['openai-chat'].caller.parseRequest(bytes);
      const sent = parsed.ok && parsed.request.encodeFor('m', providers[key].chat.dialect);
      expect(String(sent)).toBe(bytes.toString());
    },
  );

  const ownId = 'ig_00000000-0000-4000-8000-000000000000_1';
  it.each<[key: 'openai' | 'xai', id: string, isMoved: boolean]>([
    ['openai', ownId, true],
    ['openai', 'ig_1', false],
    ['xai', 'ig_1', true],
  ])('an image item for %s with the id %s becomes a user message: %s', (key, id, isMoved) => {
    const body = {
      model: 'm',
      input: [
        { role: 'user', content: 'Draw' },
        { ...imageCall, id },
      ],
    };
    const parsed = protocols['openai-responses'].caller.parseRequest(Buffer.from(JSON.stringify(body)));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const dialect = providers[key].alsoSpeaks?.[0]?.dialect;
    const sent = JSON.parse(parsed.request.encodeFor('m', dialect).toString());
    expect(sent.input[1].role === 'user').toBe(isMoved);
    expect(JSON.stringify(sent)).toContain(png);
  });
});

it.each(callerProtocols.filter(({ id }) => histories[id]))(
  'an image in an earlier response counts as an image in a prompt of $id',
  ({ id, caller }) => {
    const body = JSON.stringify({ model: 'm', ...histories[id] }).replace(png, png + 'A'.repeat(50_000));
    const parsed = caller.parseRequest(Buffer.from(body), { model: 'm', isStream: false });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const { media, texts } = parsed.request.readPrompt();
    expect(media).toEqual([{ kind: 'image', letters: expect.any(Number) }]);
    expect(media[0]?.letters).toBeGreaterThan(50_000);
    expect(texts.join('').length).toBeLessThan(200);
  },
);
