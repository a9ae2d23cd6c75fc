import type { EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide } from '../protocol.ts';
import { orProblem, UntranslatableError } from '../untranslatable.ts';
import * as wire from './wire.ts';

/** `:batchEmbedContents`: one request a text, their vectors in the same order. */
export const embeddings: EmbeddingsSide = {
  encodeRequest: ({ inputs, dimensions, endUser }, model) =>
    orProblem(() => ({
      ok: true,
      body: {
        requests: inputs.map((input) => ({
          model: `models/${model.replace(/^models\//, '')}`,
          content: { parts: [{ text: readInput(input) }] },
          ...(dimensions !== undefined && { outputDimensionality: dimensions }),
        })),
      },
      warnings: endUser === undefined ? [] : ['user'],
    })),
  decodeResponse,
};

function readInput(input: string | readonly number[]): string {
  if (typeof input === 'string') return input;
  throw new UntranslatableError('The provider of this model embeds texts, not their tokens.', 'input');
}

function decodeResponse(body: Buffer): EmbeddingsResponse | null {
  try {
    const answer = wire.embeddings.parse(JSON.parse(body.toString()));
    return {
      model: null,
      vectors: answer.embeddings.map(({ values }) => values),
      inputTokens: answer.usageMetadata?.promptTokenCount ?? null,
    };
  } catch {
    return null;
  }
}
