import { deliver } from '../delivery/deliver.ts';
import { emptyAnswer } from '../generation/answer.ts';
import { countTokens } from '../generation/prompt.ts';
import { embedText, encodeFloats } from '../generation/vectors.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findEmbedder } from '../models/find-model.ts';
import {
  anyString,
  arrayOf,
  type Check,
  checkParameters,
  integerWithin,
  matching,
  missing,
  nullable,
  oneOf,
} from '../request/checks.ts';
import { readJsonBody } from '../request/json-body.ts';
import { invalidRequest } from '../request/problem.ts';

interface EmbeddingRequest {
  model: Model;
  inputs: { text: string; tokens: number }[];
  dimensions: number;
  isBase64: boolean;
}

type Fields = Record<string, unknown>;

const inputsMax = 2_048;

const text = matching(/./s, 'input cannot be an empty string');
const tokens = arrayOf(integerWithin(0), 1);

const input: Check = (value, path) => {
  if (!Array.isArray(value)) return text(value, path);
  const isTokens = typeof value[0] === 'number';
  const item: Check = (one, at) => (Array.isArray(one) ? tokens : text)(one, at);
  (isTokens ? tokens : arrayOf(item, 1, inputsMax))(value, path);
};

const parameters: Record<string, Check> = {
  model: anyString,
  input,
  dimensions: nullable(integerWithin(1)),
  encoding_format: nullable(oneOf('float', 'base64')),
  user: anyString,
};

/** Throws `RequestRefused` for a request that OpenAI would reject. */
function readRequest(body: Fields): EmbeddingRequest {
  checkParameters(body, parameters);
  for (const name of ['model', 'input']) if (body[name] === undefined) throw missing(name);
  const model = findEmbedder(String(body.model));
  const dimensions = Number(body.dimensions ?? model.settings.dimensions);
  if (dimensions > model.settings.dimensions)
    throw invalidRequest(null, 'dimensions', `must be at most ${model.settings.dimensions} for this model`);
  return {
    model,
    inputs: listInputs(body.input).map(readInput),
    dimensions,
    isBase64: body.encoding_format === 'base64',
  };
}

/** A list of numbers is a single input; any other list contains several inputs. */
function listInputs(given: unknown): unknown[] {
  return Array.isArray(given) && typeof given[0] !== 'number' ? given : [given];
}

function readInput(given: unknown): { text: string; tokens: number } {
  if (Array.isArray(given)) return { text: given.join(' '), tokens: given.length };
  return { text: String(given), tokens: countTokens(String(given)) };
}

/** Throws `RequestRefused` for an invalid request. */
export async function createEmbeddings(call: Call): Promise<void> {
  const { body } = await readJsonBody(call);
  const asked = readRequest(body);
  await deliver(call, {
    protocol: 'openai-embeddings',
    operation: 'embed',
    model: asked.model,
    isStream: false,
    answer: () => emptyAnswer(asked.inputs.reduce((sum, { tokens }) => sum + tokens, 0)),
    encode: ({ promptTokens }) => encodeWhole(asked, promptTokens),
  });
}

function encodeWhole(
  { model, inputs, dimensions, isBase64 }: EmbeddingRequest,
  promptTokens: number,
): string {
  return JSON.stringify({
    object: 'list',
    data: inputs.map(({ text }, index) => {
      const vector = embedText(text, dimensions);
      return { object: 'embedding', index, embedding: isBase64 ? encodeFloats(vector) : vector };
    }),
    model: model.name,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  });
}
