import type { ContextOverflow, ErrorCode } from '@sluice/contract';
import type { AssistantPart } from './content.ts';
import type { Usage } from './usage.ts';

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error';

export interface Finish {
  readonly reason: FinishReason;
  /** Provider's own finish reason, kept for the log. */
  readonly native: string | null;
  /** Stop sequence that ended the response, if the protocol reports it. */
  readonly stopSequence?: string;
  readonly message?: string;
}

/** Error that a provider reports inside a response with status 200. */
export interface AnswerFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Provider's error code. One of OpenAI's codes if the error has a common meaning (`error-meanings.ts`). */
  readonly providerCode?: string | null;
  readonly param?: string | null;
  /** Overrides the status of the code. */
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  /**
   * Sizes for the message in the caller's protocol. Set if a provider of another protocol rejected the prompt as too
   * long.
   */
  readonly overflow?: ContextOverflow | undefined;
}

export interface Choice {
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
}

export function failureOf({ native, message }: Finish): AnswerFailure {
  const code = native === 'TIMEOUT' ? 'upstream_timeout' : 'upstream_error';
  const reason = native === null ? 'an error' : `'${native}'`;
  const explanation = message ? `: ${message}` : '.';
  return {
    code,
    message: `The provider ended its answer with ${reason}${explanation}`,
  };
}

/**
 * Maximum number of choices in a response, as at OpenAI. Additional choices are ignored, because each takes memory
 * until the response ends.
 */
export const choicesMax = 128;

/** Complete response. `id` is the provider's, or `null` if the provider sends none. */
export interface CanonicalResponse {
  readonly id: string | null;
  readonly model: string | null;
  readonly createdAtSeconds: number | null;
  /** One choice, unless the request asked for more. Empty if the body contains only an error. */
  readonly choices: readonly Choice[];
  readonly usage: Usage | null;
  readonly failure?: AnswerFailure;
}

export function errorOnly(failure: AnswerFailure): CanonicalResponse {
  return { id: null, model: null, createdAtSeconds: null, choices: [], usage: null, failure };
}
