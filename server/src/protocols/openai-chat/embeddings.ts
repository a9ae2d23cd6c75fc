import type { EmbeddingsRequest, EmbeddingsResponse } from '../canonical/embeddings.ts';
import type { EmbeddingsSide, EncodedRequest } from '../protocol.ts';
import { isVector, listLost } from '../translation/embedding-values.ts';
import { fitLength } from '../translation/fit-length.ts';
import * as wire from './wire.ts';

export const embeddings: EmbeddingsSide = { encodeRequest, decodeResponse };

function encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest {
  const { inputs, dimensions, endUser } = request;
  const body = {
    model,
    input: inputs,
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
    ...(endUser !== undefined && { user: fitLength(endUser) }),
  };
  return { ok: true, body, warnings: listLost(request, ['user']) };
}

function decodeResponse(body: Buffer): EmbeddingsResponse | null {
  try {
    const { data, model, usage } = wire.embeddings.parse(JSON.parse(body.toString()));
    const placed = data.map(({ index, embedding }, place) => ({
      index: index ?? place,
      vector: readVector(embedding),
    }));
    const vectors = placed.sort((left, right) => left.index - right.index).map(({ vector }) => vector);
    if (!vectors.every((vector) => vector !== null)) return null;
    return { model: model || null, vectors, inputTokens: usage?.prompt_tokens ?? null };
  } catch {
    return null;
  }
}

const floatBytes = Float32Array.BYTES_PER_ELEMENT;

/** Reads numbers, or base64 of little-endian 32-bit floats, which some providers return for any requested format. */
function readVector(embedding: unknown): readonly number[] | null {
  if (typeof embedding !== 'string') return isVector(embedding) ? embedding : null;
  const bytes = Buffer.from(embedding, 'base64');
  if (bytes.length === 0 || bytes.length % floatBytes !== 0) return null;
  const vector = Array.from({ length: bytes.length / floatBytes }, (_, index) =>
    bytes.readFloatLE(index * floatBytes),
  );
  return isVector(vector) ? vector : null;
}
