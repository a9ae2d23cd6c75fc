import type { EndedRequest } from '#domain/deviation/count-request.ts';

/** What scores need of an ended request. */
export interface ScoredRequest extends EndedRequest {
  readonly tenantId: number | null;
  readonly userId: number | null;
}
