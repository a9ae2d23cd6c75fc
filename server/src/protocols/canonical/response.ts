import type { AssistantPart } from './content.ts';
import type { Usage } from './usage.ts';

/** Why an answer ended, in words that all protocols share. */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error';

export interface Finish {
  readonly reason: FinishReason;
  /** The provider's own word, kept for the log. */
  readonly native: string | null;
  /** The stop sequence that ended the answer, where the protocol tells. */
  readonly stopSequence?: string;
}

export interface Choice {
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
}

/** A whole answer. `id` is the provider's, `null` where it gives none. */
export interface CanonicalResponse {
  readonly id: string | null;
  readonly model: string | null;
  readonly createdAtSeconds: number | null;
  /** One choice, unless the request asked for more. */
  readonly choices: readonly Choice[];
  readonly usage: Usage | null;
}
