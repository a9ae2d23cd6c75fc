import type { ImagePart, Signature, ToolName } from './content.ts';
import type { AnswerFailure, Finish } from './response.ts';
import type { Usage } from './usage.ts';

/**
 * Event of a streamed response. Blocks (text, reasoning, tool input, image) are numbered from 0 in order of their
 * start. At most one block per choice is open. Each block has start, delta and end events, except an image, which is
 * one event. `choice` is 0 unless more were requested.
 */
export type StreamEvent =
  | {
      readonly type: 'start';
      readonly id: string | null;
      readonly model: string | null;
      readonly createdAtSeconds: number | null;
    }
  | { readonly type: 'text-start'; readonly choice: number; readonly block: number }
  | { readonly type: 'text-delta'; readonly choice: number; readonly block: number; readonly text: string }
  | { readonly type: 'text-end'; readonly choice: number; readonly block: number }
  | {
      readonly type: 'reasoning-start';
      readonly choice: number;
      readonly block: number;
      readonly isRedacted: boolean;
    }
  | {
      readonly type: 'reasoning-delta';
      readonly choice: number;
      readonly block: number;
      readonly text: string;
    }
  | {
      readonly type: 'reasoning-end';
      readonly choice: number;
      readonly block: number;
      readonly signature?: Signature;
    }
  | ({
      readonly type: 'tool-input-start';
      readonly choice: number;
      readonly block: number;
      readonly id: string;
      /** Whether the tool accepts free text as its single argument (`freeform-tool.ts`). */
      readonly isFreeform?: boolean;
    } & ToolName)
  /** Fragment of the arguments' JSON text. A call without a delta has the arguments `{}`. */
  | {
      readonly type: 'tool-input-delta';
      readonly choice: number;
      readonly block: number;
      readonly json: string;
    }
  | {
      readonly type: 'tool-input-end';
      readonly choice: number;
      readonly block: number;
      readonly signature?: Signature;
    }
  | { readonly type: 'image'; readonly choice: number; readonly block: number; readonly image: ImagePart }
  | { readonly type: 'refusal-delta'; readonly choice: number; readonly text: string }
  /**
   * Cumulative usage; the last event counts. `isAlone` means that the wire event contains nothing else, so it may be
   * withheld.
   */
  | { readonly type: 'usage'; readonly usage: Usage; readonly isAlone?: true }
  | { readonly type: 'finish'; readonly choice: number; readonly finish: Finish }
  /** The provider reported an error in the stream. Only `end` may follow. */
  | ({ readonly type: 'error' } & AnswerFailure)
  | { readonly type: 'end' };

export interface WireEvent {
  /** Event name; `message` if the stream does not set one. */
  readonly event: string;
  readonly data: string;
}

/** Pure state machine that maps a provider's events to canonical events. Never throws on content. */
export interface StreamDecoder {
  decode(event: WireEvent): readonly StreamEvent[];
  /** Returns the events still pending when the stream has ended. Open blocks are closed, and no content is added. */
  end(): readonly StreamEvent[];
}

/** Pure state machine that maps canonical events to the caller's bytes. */
export interface StreamEncoder {
  encode(event: StreamEvent): string;
}
