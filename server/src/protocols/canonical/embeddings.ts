import type { ModelRequest, RequestProblem } from './request.ts';

export type EmbeddingInput = string | readonly number[];

/** Purpose of the vectors. Models embed a query differently from the documents it searches. */
export type EmbeddingPurpose = 'query' | 'document' | 'classification' | 'clustering' | 'similarity';

/** Absent fields were not set by the caller. */
export interface EmbeddingsRequest {
  readonly inputs: readonly EmbeddingInput[];
  readonly dimensions?: number;
  /** End user of the caller's application. */
  readonly endUser?: string;
  readonly purpose?: EmbeddingPurpose;
  /** End at which an input that is too long is truncated. By default, such an input is an error. */
  readonly truncation?: 'none' | 'start' | 'end';
  /** Names of fields that exist only in the caller's protocol. Each adds a warning. */
  readonly extensions?: readonly string[];
}

/** Vectors in the order of the inputs. `inputTokens` is `null` if the provider does not report the tokens. */
export interface EmbeddingsResponse {
  readonly model: string | null;
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number | null;
}

export interface EmbeddingsCall extends ModelRequest {
  readonly operation: 'embeddings';
  toCanonical(): EmbeddingsRequest;
  /** Encodes a response. `inputTokens` that are `null` are reported as 0 or omitted. */
  encodeResponse(response: EmbeddingsResponse): object;
  /**
   * Reads a response from a provider with the same protocol; returns `null` if the response does not match the
   * protocol.
   */
  readAnswer(answer: Buffer): { readonly inputTokens: number | null; readonly bytes: Buffer } | null;
}

export type ParsedEmbeddings =
  | { readonly ok: true; readonly request: EmbeddingsCall }
  | { readonly ok: false; readonly problem: RequestProblem };
