import { chatCompletionRequest } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { messagesRequest } from './anthropic-messages/wire.ts';
import { responsesRequest } from './openai-responses/wire.ts';
import { protocols } from './registry.ts';
import { type CallerId, fullRequests } from './testing/full-requests.ts';

const wish = 'Tell me a bedtime story about one dragon who is afraid of the dark';
const conversations = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  'anthropic-messages': 'messages',
  gemini: 'contents',
} as const;

const vendorFields =
  'prompt documents suffix chat_template query context preamble extra_body system_prompt'.split(' ');
const schemas = {
  'openai-chat': Object.keys(chatCompletionRequest.shape),
  'openai-responses': Object.keys(responsesRequest.shape),
  'anthropic-messages': Object.keys(messagesRequest.shape),
  gemini: ['systemInstruction', 'generationConfig', 'safetySettings', 'toolConfig', 'cachedContent'],
};

const names = [wish, wish.replaceAll(' ', '_'), `${wish} ${'please '.repeat(40)}`];

type Json = Readonly<Record<string, unknown>>;

function readTexts(id: CallerId, body: object): string | null {
  const parsed = protocols[id].caller.parseRequest(Buffer.from(JSON.stringify(body)), {
    model: 'm',
    isStream: false,
  });
  if (!parsed.ok) return null;
  return [parsed.request.judged ?? '', ...parsed.request.listNewTexts().map(({ text }) => text)].join('\n');
}

function* plant(value: unknown, path = ''): Generator<readonly [path: string, planted: unknown]> {
  if (typeof value === 'string') yield [path, wish];
  yield* plantInside(value, path, plant);
}

function* plantName(value: unknown, path = ''): Generator<readonly [path: string, planted: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const name of names) yield [path, { ...value, [name]: 1 }];
  yield* plantInside(value, path, plantName);
}

function* plantInside(value: unknown, path: string, plantIn: typeof plant): ReturnType<typeof plant> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value))
    for (const [inner, planted] of plantIn(held, `${path}.${name}`))
      yield [inner, Array.isArray(value) ? value.with(Number(name), planted) : { ...value, [name]: planted }];
}

/** Returns copies of the body with a single message each, so that no model has responded to the message. */
function listBodies(id: CallerId): Json[] {
  // safe because the requests are objects with named fields
  const full = fullRequests[id] as Json;
  const name = conversations[id];
  const said = full[name];
  return Array.isArray(said) ? said.map((one) => ({ ...full, [name]: [one] })) : [];
}

describe.each(Object.keys(conversations))('listNewTexts for a %s request', (name) => {
  // safe because the record's keys are the dialects
  const id = name as CallerId;

  it.each([
    ['string', plant],
    ['name of a property', plantName],
  ])('listNewTexts finds every %s of a full request except in model, metadata and labels', (_, plantIn) => {
    const missed = new Set<string>();
    let count = 0;
    for (const body of listBodies(id))
      for (const [path, planted] of plantIn(body)) {
        if (/^\.(model|metadata|labels)\b/.test(path)) continue;
        // safe because planting a text in an object returns an object
        const texts = readTexts(id, planted as object);
        if (texts === null) continue;
        count++;
        if (!texts.includes(wish)) missed.add(path);
      }
    expect([...missed]).toEqual([]);
    expect(count).toBeGreaterThan(50);
  });

  it('listNewTexts reads every schema and vendor field that accepts text', () => {
    const [body = {}] = listBodies(id);
    const fields = [...schemas[id], ...vendorFields].filter(
      (field) => !/^(model|task_id|format)$/.test(field),
    );
    const wrappers: readonly ((text: string) => unknown)[] = [
      (text) => text,
      (text) => [text],
      (text) => ({ text }),
      (text) => [{ role: 'user', content: text }],
      (text) => ({ a: { b: [{ c: text }] } }),
      (text) => ({ a: { [text]: 1 } }),
      (text) => ({ enum: text.split(' ') }),
      (text) => ({ enum: [...text] }),
      (text) => Object.fromEntries(text.split(' ').map((word) => [word, {}])),
    ];
    const taken = fields.map((field) =>
      wrappers.filter((wrap) => {
        const texts = readTexts(id, { ...body, [field]: wrap(wish) });
        if (texts !== null) expect([field, texts]).toEqual([field, expect.stringContaining(wish)]);
        return texts !== null;
      }),
    );
    expect(taken.flat().length).toBeGreaterThan(vendorFields.length * 4);
  });
});

describe('listNewTexts for texts that a model has responded to', () => {
  it('listNewTexts includes answered texts only if the caller asks to continue', () => {
    const answered = [
      { role: 'user', content: wish },
      { role: 'assistant', content: 'Here is the answer.' },
    ];
    const read = (content: string) =>
      readTexts('openai-chat', { model: 'm', messages: [...answered, { role: 'user', content }] });
    expect(read('Write a parser for CSV')).not.toContain(wish);
    expect(read('Yes please, continue with that now')).toContain(wish);
    expect(read('Yes please, continue with that now')).toContain('Here is the answer.');
  });

  it('listNewTexts does not count an empty message as a response', () => {
    const messages = [
      { role: 'user', content: wish },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'Write a parser for CSV' },
    ];
    expect(readTexts('openai-chat', { model: 'm', messages })).toContain(wish);
  });
});

it('listNewTexts includes the text after a long run without a space and cuts the run', () => {
  const body = (text: string) => ({ model: 'm', messages: [{ role: 'user', content: text }] });
  for (const filler of ['x'.repeat(9_000), `${'x'.repeat(450)} `, '\u4e00'.repeat(9_000)])
    expect(readTexts('openai-chat', body(`${filler}\n${wish}`))).toContain(wish);
  const image = 'QUJD'.repeat(50_000);
  const texts = readTexts('openai-chat', { ...body('Hello'), image }) ?? '';
  expect(texts.length).toBeLessThan(10_000);
  expect(readTexts('openai-chat', body(`${'y'.repeat(10_000_000)} ${wish}`))).toContain(wish);
});
