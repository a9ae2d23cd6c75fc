import type { EmbeddingsRequest, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide, EncodedRequest } from '../protocol.ts';
import { demandTexts, isVectorList, listLost } from '../translation/embedding-values.ts';
import { orProblem } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

export const embeddings: EmbeddingsSide = { encodeRequest, decodeResponse };

function encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest {
  return orProblem(() => {
    const { dimensions, truncation } = request;
    const body = {
      model,
      input: demandTexts(request),
      ...(dimensions !== undefined && { dimensions }),
      truncate: truncation === 'end',
    };
    return { ok: true, body, warnings: listLost(request, truncation === 'end' ? ['truncate'] : []) };
  });
}

function decodeResponse(body: Buffer): EmbeddingsResponse | null {
  try {
    const told = wire.embeddings.parse(JSON.parse(body.toString()));
    if (!isVectorList(told.embeddings)) return null;
    return {
      model: told.model || null,
      vectors: told.embeddings,
      inputTokens: told.prompt_eval_count ?? null,
    };
  } catch {
    return null;
  }
}
