import type { EmbeddingsRequest, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide, EncodedRequest } from '../protocol.ts';
import { demandTexts, isVectorList } from '../translation/embedding-values.ts';
import { orProblem } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Encodes requests to and decodes responses from Cohere's embeddings API. */
export const embeddings: EmbeddingsSide = { encodeRequest, decodeResponse };

function encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest {
  return orProblem(() => {
    const { dimensions, endUser } = request;
    const body = {
      model,
      texts: demandTexts(request),
      // Cohere requires a purpose, which callers cannot specify. Embedding documents is the most common one.
      input_type: 'search_document',
      embedding_types: ['float'],
      ...(dimensions !== undefined && { output_dimension: dimensions }),
      // Return an error instead of the embedding of a truncated text.
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
