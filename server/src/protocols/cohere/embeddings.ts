import type { EmbeddingsRequest, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide, EncodedRequest } from '../protocol.ts';
import { demandTexts, isVectorList } from '../translation/embedding-values.ts';
import { orProblem } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Cohere's embeddings of texts. */
export const embeddings: EmbeddingsSide = { encodeRequest, decodeResponse };

function encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest {
  return orProblem(() => {
    const { dimensions, endUser } = request;
    const body = {
      model,
      texts: demandTexts(request),
      // Cohere wants to know the purpose, which no caller can say; documents are what most embed.
      input_type: 'search_document',
      embedding_types: ['float'],
      ...(dimensions !== undefined && { output_dimension: dimensions }),
      // Rather an error than the vector of half a text.
      truncate: 'NONE',
    };
    return { ok: true, body, warnings: endUser === undefined ? [] : ['user'] };
  });
}

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
