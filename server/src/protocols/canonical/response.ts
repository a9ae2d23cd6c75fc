import type { Usage } from './usage.ts';

/** What the gate reads of a whole answer. */
export interface Completion {
  readonly text: string | null;
  readonly model: string;
  readonly usage: Usage | null;
}

/** What a tap knows of a stream so far. */
export interface StreamState {
  readonly text: string;
  /** Pieces of output received: the best count of tokens when the stream breaks before its usage. */
  readonly outputPieces: number;
  readonly usage: Usage | null;
  /** Every choice has told why it ended. */
  readonly isFinished: boolean;
  /** The protocol's end marker was seen. */
  readonly isClosed: boolean;
  /** The provider reported an error inside the stream. */
  readonly error: string | null;
}

/** Reads a stream as it passes: one event in, whether the caller may have it out. */
export interface StreamTap {
  /** Returns false for an event that only the gate asked for. */
  accept(data: string): boolean;
  readonly state: StreamState;
}
