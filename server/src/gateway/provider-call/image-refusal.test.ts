import { expect, it } from 'vitest';
import { GatewayError } from '#errors/gateway-error.ts';
import { protocols } from '#protocols/registry.ts';
import { providers } from '#providers/registry.ts';
import { createEncoder } from './encode-for-provider.ts';
import { imagesField, refusesImages } from './image-refusal.ts';
import { collectRefusals } from './refusals.ts';

it.each([
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
])('refusesImages is true for "%s"', (message) => {
  expect(refusesImages(message)).toBe(true);
});

it.each([
  'Could not process image',
  'The image is too large: at most 5 MB are supported.',
  'Unsupported image media type: image/tiff',
  'Invalid image: the data could not be decoded.',
  'Unsupported parameter: temperature',
  'The message "images are not supported" is not helpful. '.repeat(30),
])('refusesImages is false for "%s"', (message) => {
  expect(refusesImages(message)).toBe(false);
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
  return createEncoder(parsed.request, async () => {})({
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
  'images of earlier answers are left out for a model of %s that does not accept them',
  async (key) => {
    const encoded = await encode(earlier, key);
    if (encoded instanceof GatewayError) throw encoded;
    expect(encoded.warnings).toContain('images of earlier turns');
    expect(String(await encoded.encodeBody(null, 0))).not.toContain('iVBORw0KGgo');
  },
);
