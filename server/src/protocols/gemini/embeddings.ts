import type { EmbeddingPurpose, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide } from '../protocol.ts';
import { demandTexts, listLost } from '../translation/embedding-values.ts';
import { orProblem } from '../translation/untranslatable.ts';
import { readUsage } from './usage.ts';
import * as wire from './wire.ts';

/** Encodes and decodes `:batchEmbedContents`: one request per text, with the vectors in the same order. */
export const embeddings: EmbeddingsSide = {
  encodeRequest: (request, model) =>
    orProblem(() => ({
      ok: true,
      body: {
        requests: demandTexts(request).map((text) => ({
          model: `models/${model.replace(/^models\//, '')}`,
          content: { parts: [{ text }] },
          ...(request.purpose && { taskType: taskTypes[request.purpose] }),
          ...(request.dimensions !== undefined && { outputDimensionality: request.dimensions }),
        })),
      },
      warnings: listLost(request, ['input_type']),
    })),
  decodeResponse,
};

const taskTypes: Readonly<Record<EmbeddingPurpose, string>> = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
  similarity: 'SEMANTIC_SIMILARITY',
};

function decodeResponse(body: Buffer): EmbeddingsResponse | null {
  try {
    const answer = wire.embeddings.parse(JSON.parse(body.toString()));
    return {
      model: null,
      vectors: answer.embeddings.map(({ values }) => values),
      inputTokens: readUsage(answer.usageMetadata)?.inputTokens ?? null,
    };
  } catch {
    return null;
  }
}
