import { deliver } from '../delivery/deliver.ts';
import { emptyAnswer } from '../generation/answer.ts';
import { embedText, encodeFloats } from '../generation/vectors.ts';
import type { Call } from '../http/vendor.ts';
import { readJsonBody } from '../request/json-body.ts';
import { type EmbeddingRequest, readRequest } from './read-request.ts';

/** Responds to an embeddings request; throws `RequestRefused` if it is not acceptable. */
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
