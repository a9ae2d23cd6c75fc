import { createHash } from 'node:crypto';
import { deliver } from '../delivery/deliver.ts';
import { answerPrompt, emptyAnswer } from '../generation/answer.ts';
import { countTokens } from '../generation/prompt.ts';
import { embedText } from '../generation/vectors.ts';
import { type Call, sendJson, type Vendor } from '../http/vendor.ts';
import { type Model, modelNames } from '../models/catalogue.ts';
import { findEmbedder, findGenerator, findModel } from '../models/find-model.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { anyString, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { describeReceived } from '../request/received.ts';
import { type Envelope, encodeError, encodeStream, encodeWhole } from './encode.ts';
import { chat as checkChat, embedding as checkEmbedding } from './parameters.ts';
import { readPrompt } from './read-prompt.ts';

const modifiedAt = '2023-11-14T00:00:00Z';

const details = {
  parent_model: '',
  format: 'gguf',
  family: 'sandbox',
  families: ['sandbox'],
  parameter_size: '1.0B',
  quantization_level: 'Q4_0',
};

function listModels(call: Call): void {
  const models = modelNames.map((name) => ({
    name: `${name}:latest`,
    model: `${name}:latest`,
    modified_at: modifiedAt,
    size: 1_000_000_000,
    digest: createHash('sha256').update(name).digest('hex'),
    details,
  }));
  sendJson(call, 200, { models });
}

/**
 * Accepts names with settings, although the model list does not contain them. Throws `RequestRefused` for an unknown
 * name.
 */
async function showModel(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  const name = body.model ?? body.name;
  anyString(name, 'model');
  const model = findModel(withoutTag(String(name)));
  sendJson(call, 200, {
    modelfile: `FROM ${model.name}`,
    parameters: '',
    template: '{{ .Prompt }}',
    details,
    model_info: { 'general.architecture': 'sandbox', 'sandbox.context_length': 131_072 },
    capabilities: capabilitiesOf(model),
    modified_at: modifiedAt,
  });
}

function capabilitiesOf({ generates, embeds, settings }: Model): string[] {
  return [
    ...(generates ? ['completion', 'tools', 'vision'] : []),
    ...(settings.reasoning_tokens > 0 ? ['thinking'] : []),
    ...(embeds ? ['embedding'] : []),
  ];
}

/** Ollama requests need no key, but a wrong key is rejected. */
export const ollama: Vendor = {
  name: 'ollama',
  owns: (path) => path.startsWith('/api/'),
  authorize(call) {
    const key = bearerKey(call);
    if (key !== undefined) checkKey(key, 'the Authorization header');
  },
  headers: () => [],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/api\/chat$/, answer: chat },
    { method: 'POST', path: /^\/api\/embed$/, answer: embed },
    { method: 'GET', path: /^\/api\/tags$/, answer: listModels },
    { method: 'POST', path: /^\/api\/show$/, answer: showModel },
  ],
};

/** Throws `RequestRefused` for an invalid request. */
async function embed(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  checkEmbedding(body, 'EmbedRequest');
  const model = findEmbedder(withoutTag(String(body.model)));
  const texts = [body.input].flat().map(String);
  const dimensions = Number(body.dimensions || model.settings.dimensions);
  const promptTokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  await deliver(call, {
    protocol: 'ollama',
    operation: 'embed',
    model,
    isStream: false,
    answer: () => emptyAnswer(promptTokens),
    encode: () =>
      JSON.stringify({
        model: body.model,
        embeddings: texts.map((text) => embedText(text, Math.min(dimensions, model.settings.dimensions))),
        total_duration: 2_000_000,
        load_duration: 1_000_000,
        prompt_eval_count: promptTokens,
      }),
  });
}

/** Streams by default. Throws `RequestRefused` for an invalid request. */
async function chat(call: Call): Promise<void> {
  const { text, body } = await readJsonBody(call);
  checkChat(body, 'ChatRequest');
  const model = findGenerator(withoutTag(String(body.model)));
  const prompt = readPrompt(body, () => describeReceived(call, text));
  // A request without messages only loads the model.
  const isLoad = objectsIn(body.messages).length === 0;
  const envelope: Envelope = {
    id: call.id,
    model: String(body.model),
    createdAt: new Date(call.startedAt).toISOString(),
    showsUsage: !model.hidesUsage,
    isLoad,
  };
  const isStream = body.stream !== false;
  await deliver(call, {
    protocol: 'ollama',
    operation: 'generate',
    model,
    isStream,
    answer: () => (isLoad ? emptyAnswer(0) : answerPrompt(prompt, model)),
    encode: (answer) => (isStream ? encodeStream(envelope, answer) : encodeWhole(envelope, answer)),
  });
}

/**
 * Removes the default tag from a name. Every Ollama model has a tag, and a name without a tag means the default tag.
 */
function withoutTag(name: string): string {
  return name.replace(/:latest$/, '');
}
