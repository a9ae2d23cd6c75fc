import type { ErrorCode } from '@sluice/contract';
import type { Signature, ToolName } from './content.ts';
import type { Finish } from './response.ts';
import type { Usage } from './usage.ts';

/**
 * One step of a streamed answer. Blocks (text, reasoning, tool input) are numbered from 0 in the order they begin,
 * one is open at a time per choice, and each begins, grows and ends. `choice` is 0 unless more were asked for.
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
      /** The tool is called with a text, which is the one argument (`freeform-tool.ts`). */
      readonly isFreeform?: boolean;
    } & ToolName)
  /** A fragment of the arguments' JSON text; a call without arguments has none and ends as `{}`. */
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
  | { readonly type: 'refusal-delta'; readonly choice: number; readonly text: string }
  /** Cumulative: the last one counts. `isAlone`: the wire event holds nothing else, so it may be withheld. */
  | { readonly type: 'usage'; readonly usage: Usage; readonly isAlone?: true }
  | { readonly type: 'finish'; readonly choice: number; readonly finish: Finish }
  /** The provider reported an error in the stream. Nothing but `end` follows. */
  | { readonly type: 'error'; readonly code: ErrorCode; readonly message: string }
  /** The protocol's own end marker. */
  | { readonly type: 'end' };

/** One event or line of a provider's stream, as it came. */
export interface WireEvent {
  /** The event's name, `message` where the stream gives none. */
  readonly event: string;
  readonly data: string;
}

/** A pure state machine from a provider's events to canonical ones. Never throws on content. */
export interface StreamDecoder {
  decode(event: WireEvent): readonly StreamEvent[];
  /** What is still pending when the stream has ended: open blocks are closed; nothing is invented. */
  end(): readonly StreamEvent[];
}

/** A pure state machine from canonical events to the caller's bytes. */
export interface StreamEncoder {
  encode(event: StreamEvent): string;
}
