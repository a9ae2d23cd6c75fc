import type { AccessExplanation, ErrorCode } from '@sluice/contract';

export type AccessRuleName = AccessExplanation['rules'][number]['name'];

/** Rejection of a request: the rule, the error code and a message for the caller. */
export interface Refusal {
  readonly rule: AccessRuleName;
  readonly code: ErrorCode;
  readonly message: string;
}
