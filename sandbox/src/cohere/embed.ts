import { deliver } from '../delivery/deliver.ts';
import { emptyAnswer } from '../generation/answer.ts';
import { readTurns } from '../generation/prompt.ts';
import { embedText, encodeFloats } from '../generation/vectors.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findEmbedder } from '../models/find-model.ts';
import { checkParameters, missing, objectsIn } from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { invalidRequest } from '../request/problem.ts';
import { uuidOf } from './errors.ts';
import { embedParameters } from './parameters.ts';
import { readAttachment } from './read-prompt.ts';

type Fields = Record<string, unknown>;
interface Input {
  text: string;
  tokens: number;
}

/** Throws `RequestRefused` for an invalid request. */
export async function embed(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  const model = readModel(body);
  const inputs = readInputs(body);
  const inputTokens = inputs.reduce((sum, { tokens }) => sum + tokens, 0);
  await deliver(call, {
    protocol: 'cohere',
    operation: 'embed',
    model,
    isStream: false,
    answer: () => emptyAnswer(inputTokens),
    encode: () =>
      JSON.stringify({
        id: uuidOf(call.id),
        ...(body.texts !== undefined && { texts: body.texts }),
        embeddings: encodeVectors(body, model, inputs),
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: inputTokens } },
        response_type: 'embeddings_by_type',
      }),
  });
}

function readModel(body: Fields): Model {
  for (const name of ['model', 'input_type', 'embedding_types'])
    if (body[name] === undefined) throw missing(name);
  checkParameters(body, embedParameters);
  const given = ['texts', 'images', 'inputs'].filter((name) => body[name] !== undefined);
  if (given.length !== 1)
    throw invalidRequest(null, null, 'invalid request: exactly one of texts, images and inputs is needed');
  return findEmbedder(String(body.model));
}

function readInputs({ texts, images, inputs }: Fields): Input[] {
  if (Array.isArray(texts)) return texts.map((text) => readInput([{ type: 'text', text }]));
  if (Array.isArray(images)) return images.map((url) => readInput([{ image_url: { url } }]));
  return objectsIn(inputs).map(({ content }) => readInput(objectsIn(content)));
}

/** Reads an input, whose parts determine the vector. Images cost as many tokens as in a chat. */
function readInput(parts: Fields[]): Input {
  const words = parts.map(({ text }) => String(text ?? '')).join('');
  const { promptTokens } = readTurns([
    { role: 'user', text: words, attachments: parts.flatMap(readAttachment) },
  ]);
  return { text: JSON.stringify(parts), tokens: promptTokens };
}

function encodeVectors(body: Fields, { settings }: Model, inputs: Input[]) {
  const dimensions = Number(body.output_dimension ?? settings.dimensions);
  const vectors = inputs.map(({ text }) => embedText(text, dimensions));
  const types = [body.embedding_types ?? []].flat().map(String);
  return Object.fromEntries(types.map((type) => [type, vectors.map((vector) => encodeAs(type, vector))]));
}

function encodeAs(type: string, vector: number[]): number[] | string {
  switch (type) {
    case 'base64':
      return encodeFloats(vector);
    case 'int8':
      return vector.map((value) => Math.round(value * 127));
    case 'uint8':
      return vector.map((value) => Math.round(value * 127) + 128);
    case 'binary':
      return packBits(vector).map((byte) => byte - 128);
    case 'ubinary':
      return packBits(vector);
    default:
      return vector;
  }
}

/** Packs eight signs into a byte, most significant bit first. */
function packBits(vector: number[]): number[] {
  return Array.from({ length: Math.ceil(vector.length / 8) }, (_, index) =>
    vector
      .slice(index * 8, index * 8 + 8)
      .reduce((byte, value, bit) => byte | (value > 0 ? 128 >> bit : 0), 0),
  );
}
