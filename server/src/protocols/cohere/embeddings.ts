import type { EmbeddingPurpose, EmbeddingsRequest, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide, EncodedRequest } from '../protocol.ts';
import { demandTexts, isVectorList, listLost } from '../translation/embedding-values.ts';
import { orProblem } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

export const embeddings: EmbeddingsSide = { encodeRequest, decodeResponse };

function encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest {
  return orProblem(() => {
    const { dimensions, purpose = 'document', truncation = 'none' } = request;
    const body = {
      model,
      texts: demandTexts(request),
      // Cohere requires a purpose, and embedding documents is the most common one.
      input_type: inputTypes[purpose],
      embedding_types: ['float'],
      ...(dimensions !== undefined && { output_dimension: dimensions }),
      truncate: truncation.toUpperCase(),
    };
    return {
      ok: true,
      body,
      warnings: listLost(request, purpose === 'similarity' ? ['truncate'] : ['input_type', 'truncate']),
    };
  });
}

const inputTypes: Readonly<Record<EmbeddingPurpose, string>> = {
  query: 'search_query',
  document: 'search_document',
  classification: 'classification',
  clustering: 'clustering',
  // Cohere does not have an input type for similarity.
  similarity: 'search_document',
};

function decodeResponse(body: Buffer): EmbeddingsResponse | null {
  try {
    const { embeddings: told, meta } = wire.embeddings.parse(JSON.parse(body.toString()));
    if (!isVectorList(told.float)) return null;
    const counted = meta?.tokens ?? meta?.billed_units;
    return { model: null, vectors: told.float, inputTokens: counted?.input_tokens ?? null };
  } catch {
    return null;
  }
}
