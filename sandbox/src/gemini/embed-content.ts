import { deliver } from '../delivery/deliver.ts';
import { emptyAnswer } from '../generation/answer.ts';
import { countTokens } from '../generation/prompt.ts';
import { embedText } from '../generation/vectors.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { findEmbedder } from '../models/find-model.ts';
import { anyObject, arrayOf, checkParameters, isObject, missing, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';
import { embedParameters } from './parameters.ts';
import { readCamelBody } from './read-body.ts';

type Fields = Record<string, unknown>;
interface Wanted {
  text: string;
  dimensions: number;
}

/** Throws `RequestRefused` for an invalid request. */
export async function embedContent(call: Call, name: string): Promise<void> {
  const model = findEmbedder(name);
  const { body } = await readCamelBody(call);
  const wanted = readWanted(body, model);
  await deliverVectors(call, model, [wanted], ([embedding]) => ({ embedding }));
}

/** Each content must repeat the model. */
export async function batchEmbedContents(call: Call, name: string): Promise<void> {
  const model = findEmbedder(name);
  const { body } = await readCamelBody(call);
  checkParameters(body, { requests: arrayOf(anyObject, 1, 100) });
  if (body.requests === undefined) throw missing('requests');
  const wanted = objectsIn(body.requests).map((request, index) => {
    if (request.model === `models/${name}`) return readWanted(request, model);
    throw invalidRequest(null, `requests[${index}].model`, 'must be the model of the path');
  });
  await deliverVectors(call, model, wanted, (embeddings) => ({ embeddings }));
}

function readWanted(body: Fields, { settings }: Model): Wanted {
  checkParameters(body, embedParameters);
  if (!isObject(body.content)) throw missing('content');
  const text = objectsIn(body.content.parts)
    .map((part) => String(part.text))
    .join('');
  const dimensions = Number(body.outputDimensionality ?? settings.dimensions);
  if (dimensions > settings.dimensions)
    throw invalidRequest(
      null,
      'outputDimensionality',
      `must be at most ${settings.dimensions} for this model`,
    );
  return { text, dimensions };
}

async function deliverVectors(
  call: Call,
  model: Model,
  wanted: Wanted[],
  shape: (vectors: { values: number[] }[]) => object,
): Promise<void> {
  await deliver(call, {
    protocol: 'gemini',
    operation: 'embed',
    model,
    isStream: false,
    answer: () => emptyAnswer(wanted.reduce((sum, { text }) => sum + countTokens(text), 0)),
    encode: () =>
      JSON.stringify(shape(wanted.map(({ text, dimensions }) => ({ values: embedText(text, dimensions) })))),
  });
}
