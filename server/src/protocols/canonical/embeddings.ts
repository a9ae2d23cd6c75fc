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
