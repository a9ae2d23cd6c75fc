import type { EndedRequest } from '#domain/deviation/count-request.ts';

/** Fields of an ended request that scores depend on. */
export interface ScoredRequest extends EndedRequest {
  readonly tenantId: number | null;
  readonly userId: number | null;
}
