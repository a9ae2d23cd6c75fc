import type { ModelRequest, RequestProblem } from './request.ts';

/** A text or its tokens, to be converted to one vector. */
export type EmbeddingInput = string | readonly number[];

/** Purpose of the vectors: models embed a query and the documents it searches differently. */
export type EmbeddingPurpose = 'query' | 'document' | 'classification' | 'clustering' | 'similarity';

/** Protocol-independent embeddings request. Absent fields were not set by the caller. */
export interface EmbeddingsRequest {
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions?: number;
  /** The end user of the caller's application. */
  readonly endUser?: string;
  readonly purpose?: EmbeddingPurpose;
  /** The end at which an input that is too long is truncated; by default, such an input is an error. */
  readonly truncation?: 'none' | 'start' | 'end';
  /** Names of fields that exist only in the caller's protocol; each adds a warning. */
  readonly extensions?: readonly string[];
}

/** Vectors in the order of the inputs. `inputTokens` is `null` if the provider does not report it. */
export interface EmbeddingsResponse {
  readonly model: string | null;
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number | null;
}

/** The pipeline's view of an embeddings request. */
export interface EmbeddingsCall extends ModelRequest {
  readonly operation: 'embeddings';
  toCanonical(): EmbeddingsRequest;
  /** Encodes a response for the caller; requires `inputTokens`. */
  encodeResponse(response: EmbeddingsResponse): object;
  /** Reads the response of a provider with the same protocol; returns `null` if it does not match the protocol. */
  readAnswer(answer: Buffer): { readonly inputTokens: number | null; readonly bytes: Buffer } | null;
}

export type ParsedEmbeddings =
  | { readonly ok: true; readonly request: EmbeddingsCall }
  | { readonly ok: false; readonly problem: RequestProblem };
