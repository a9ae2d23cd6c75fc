import type { AssistantPart } from './content.ts';
import type { Usage } from './usage.ts';

/** Finish reasons common to all protocols. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error';

export interface Finish {
  readonly reason: FinishReason;
  /** The provider's own finish reason, kept for the log. */
  readonly native: string | null;
  /** The stop sequence that ended the response, if the protocol reports it. */
  readonly stopSequence?: string;
}

export interface Choice {
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
}

/** A complete response. `id` is the provider's, `null` if it sends none. */
export interface CanonicalResponse {
  readonly id: string | null;
  readonly model: string | null;
  readonly createdAtSeconds: number | null;
  /** One choice, unless the request asked for more. */
  readonly choices: readonly Choice[];
  readonly usage: Usage | null;
}
