import type { AccessExplanation, ErrorCode } from '@sluice/contract';

/** A rule that requests are checked against. */
export type AccessRuleName = AccessExplanation['rules'][number]['name'];

/** Reason why a request is rejected: the rule, the error code and a message for the caller. */
export interface Refusal {
  readonly rule: AccessRuleName;
  readonly code: ErrorCode;
  readonly message: string;
}
