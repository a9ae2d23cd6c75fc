import { expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { PacedWork, Turns } from '#platform/paced-work.ts';
import { protocols } from '#protocols/registry.ts';
import { providers } from '#providers/registry.ts';
import { measureCpuMs } from '#test/processes/cpu-time.ts';
import { createEncoder } from './encode-for-provider.ts';
import { imagesField, listCallerTexts, refusesImages } from './image-refusal.ts';
import { collectRefusals } from './refusals.ts';

const recorded = [
  'Invalid content type. image_url is only supported by certain models.',
  'No endpoints found that support image input',
  "invalid request: model 'command-r' does not support image inputs",
  'Image input modality is not enabled for models/gemma-3-1b-it',
  'this model is missing data required for image input',
  'At most 0 image(s) may be provided in one prompt.',
  '/models/llama is not a multimodal model',
  'messages[0]: unknown variant `image_url`, expected `text` at line 1 column 90',
  'Image inputs are not supported by this model.',
  'Image content is not supported for this model.',
  "This model doesn't support images.",
  'The model does not support vision.',
  '"m" does not support image input',
];
const ordinary = ['What do you see in this picture?', 'You are a helpful assistant.', 'describe_image'];

it.each(recorded)('refusesImages is true for "%s"', (message) => {
  expect(refusesImages(message, ordinary)).toBe(true);
});

const quote = (text: string) => JSON.stringify(text);
const echoes: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => `Invalid request: ${text}`,
  'in quotes': (text) => `Invalid value: '${text}'. Supported values are: 'text'.`,
  'as JSON': (text) => `{"detail":[{"msg":"Input should be a valid list","input":${quote(text)}}]}`,
  'as JSON in JSON': (text) => `upstream said ${quote(quote(text))}`,
  'in capitals': (text) => `BAD INPUT: ${text.toUpperCase()}`,
  'as HTML': (text) => `<p>Rejected: ${text.replaceAll("'", '&#39;').replaceAll('"', '&quot;')}</p>`,
  'on several lines': (text) => `Rejected:\n\n  ${text.replaceAll(' ', '\n')}`,
  'with curly quotes': (text) => `Rejected: “${text.replaceAll("'", '’')}”`,
  'up to 80%, followed by other words': (text) =>
    `Rejected: ${text.slice(0, Math.ceil(text.length * 0.8))}... is not a valid prompt`,
};
const attacks = Object.keys(echoes).flatMap((way) => recorded.map((text) => [way, text] as const));

it.each(attacks)('refusesImages is false for an error that repeats a text %s: %s', (way, text) => {
  const message = echoes[way]?.(text) ?? '';
  expect(refusesImages(message, [...ordinary, `Please repeat: ${text} Thanks.`])).toBe(false);
});

it.each([
  ['a name', "Tool name 'vision' is not supported.", 'vision'],
  ['a word', 'Unsupported: "images" not supported here', 'images'],
  ['a property', "Property 'multimodal' is not allowed", 'multimodal'],
])('refusesImages is false for an error that repeats %s in quotes', (_, message, written) => {
  expect(refusesImages(message, ordinary)).toBe(true);
  expect(refusesImages(message, [...ordinary, written])).toBe(false);
});

it('refusesImages compares a text of 250,000 combining marks in less than 1.5 s of CPU time', () => {
  const [message = ''] = recorded;
  const marks = `a${'\u0315\u0316'.repeat(125_000)}`;
  // Normalizing a run of this many combining marks in one step would take more than ten seconds.
  expect(measureCpuMs(() => refusesImages(message, [marks]))).toBeLessThan(1_500);
});

it('refusesImages is false for a request whose texts are too long to compare', () => {
  const [message = ''] = recorded;
  expect(refusesImages(message, ['word '.repeat(100_000)])).toBe(false);
});

it('listCallerTexts lists texts, names and properties, but no protocol keywords or data', () => {
  const body = {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5_000)}` } },
        ],
      },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'vision',
          parameters: { type: 'object', properties: { multimodal: { type: 'images are not supported' } } },
        },
      },
    ],
  };
  expect(listCallerTexts(body)).toEqual(['Look', 'vision', 'multimodal', 'images are not supported']);
});

it.each([
  'Could not process image',
  'The image is too large: at most 5 MB are supported.',
  'Unsupported image media type: image/tiff',
  'Invalid image: the data could not be decoded.',
  'Unsupported parameter: temperature',
  'The message "images are not supported" is not helpful. '.repeat(30),
])('refusesImages is false for "%s"', (message) => {
  expect(refusesImages(message, ordinary)).toBe(false);
});

const url = 'data:image/png;base64,iVBORw0KGgo=';
const image = { type: 'image_url', image_url: { url } };
const user = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }];
const earlier = [
  { role: 'user', content: 'Draw' },
  { role: 'assistant', content: 'Here:', images: [image] },
  { role: 'user', content: 'Larger' },
];

async function encode(messages: object[], key: 'anthropic' | 'cohere' | 'google' | 'ollama') {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }));
  const parsed = protocols['openai-chat'].caller.parseRequest(bytes);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const refusals = collectRefusals([{ kind: 'field', value: imagesField }]);
  const service = providers[key].chat;
  return createEncoder(
    parsed.request,
    new PacedWork(new Turns(), 'a user'),
  )({
    model: 'blind',
    service,
    knowledge: { facts: null, refusals },
    isAccountShared: false,
  });
}

it.each(['anthropic', 'cohere', 'google', 'ollama'] as const)(
  'a request with images is rejected for a model of %s that does not accept them, naming the field',
  async (key) => {
    const encoded = await encode(user, key);
    expect(encoded).toBeInstanceOf(GatewayError);
    expect(encoded).toMatchObject({ code: 'invalid_request', param: 'messages' });
    expect(String(encoded)).toContain("'blind' does not accept images");
  },
);

it.each(['anthropic', 'cohere', 'ollama'] as const)(
  'images in earlier responses are omitted for a model of %s that does not accept them',
  async (key) => {
    const encoded = await encode(earlier, key);
    if (encoded instanceof GatewayError) throw encoded;
    expect(encoded.warnings).toContain('images of earlier turns');
    expect(String(await encoded.encodeBody(null, 0))).not.toContain('iVBORw0KGgo');
  },
);
