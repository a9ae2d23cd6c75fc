import type { ModelRequest, RequestProblem } from './request.ts';

/** One text or its tokens, to be turned into one vector. */
export type EmbeddingInput = string | readonly number[];

/** A request for embeddings as every protocol understands it. Absent means that the caller said nothing. */
export interface EmbeddingsRequest {
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions?: number;
  /** The caller's own end user. */
  readonly endUser?: string;
}

/** Vectors in the order of the inputs. `inputTokens` is `null` where the provider does not tell. */
export interface EmbeddingsResponse {
  readonly model: string | null;
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number | null;
}

/** What the pipeline needs to know of a request for embeddings. */
export interface EmbeddingsCall extends ModelRequest {
  readonly operation: 'embeddings';
  toCanonical(): EmbeddingsRequest;
  /** An answer as the caller asked for it; `inputTokens` must be told. */
  encodeResponse(response: EmbeddingsResponse): object;
  /** What a provider of the same protocol answered, for the caller; `null` when it is no answer of this protocol. */
  readAnswer(answer: Buffer): { readonly inputTokens: number | null; readonly bytes: Buffer } | null;
}

export type ParsedEmbeddings =
  | { readonly ok: true; readonly request: EmbeddingsCall }
  | { readonly ok: false; readonly problem: RequestProblem };
