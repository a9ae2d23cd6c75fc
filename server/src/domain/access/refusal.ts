import type { AccessExplanation, ErrorCode } from '@sluice/contract';

/** One of the rules that a request meets. */
export type AccessRuleName = AccessExplanation['rules'][number]['name'];

/** Why a request is refused: the rule, the code that its caller gets, and a sentence for them. */
export interface Refusal {
  readonly rule: AccessRuleName;
  readonly code: ErrorCode;
  readonly message: string;
}
