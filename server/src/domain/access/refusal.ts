import type { AccessExplanation, ErrorCode } from '@sluice/contract';

export type AccessRuleName = AccessExplanation['rules'][number]['name'];

export interface Refusal {
  readonly rule: AccessRuleName;
  readonly code: ErrorCode;
  readonly message: string;
}
