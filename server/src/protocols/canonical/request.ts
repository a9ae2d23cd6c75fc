import type { ErrorCode } from '@sluice/contract';

/** What the pipeline needs to know of a completion request, whatever protocol it came in. */
export interface CompletionRequest {
  /** The model's name as the caller wrote it. */
  readonly model: string;
  readonly isStream: boolean;
  readonly taskId: number | null;
  /** `format: "minimal"`: the answer is reduced to the fields of the contract's minimal completion. */
  readonly isMinimal: boolean;
  /** Whether the caller asked for usage in the stream; the gate asks in any case. */
  readonly wantsUsage: boolean;
  /** The text of the last human turn. */
  readonly prompt: string | null;
  /** The bytes for a provider of the same protocol: the caller's own, but for the named edits. */
  encodeFor(model: string): Buffer;
}

/** A request the gate refuses; `param` names the field in the caller's terms. */
export interface RequestProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param: string | null;
}

export type ParsedRequest =
  | { readonly ok: true; readonly request: CompletionRequest }
  | { readonly ok: false; readonly problem: RequestProblem };
