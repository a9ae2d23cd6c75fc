import type { ErrorCode, MinimalCompletion } from '@sluice/contract';
import type { ParsedRequest } from './canonical/request.ts';
import type { Completion, StreamTap } from './canonical/response.ts';

/** An error as a protocol writes it. */
export interface ErrorFacts {
  readonly code: ErrorCode;
  /** The provider's own code, where it was the provider that refused. */
  readonly providerCode: string | null;
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
}

/** How bytes look on the wire, on the caller's side and the provider's. Pure: no sockets, no timers, no globals. */
export interface Protocol {
  readonly id: 'openai-chat';
  /** Bytes to the canonical view; never throws on content. */
  parseRequest(body: Buffer): ParsedRequest;
  /** A provider's whole answer, or `null` when it is not one of this protocol. */
  parseCompletion(body: Buffer): Completion | null;
  /** Follows one stream; `wantsUsage` false withholds the usage event that the gate asked for. */
  createStreamTap(options: { wantsUsage: boolean }): StreamTap;
  /** The body of `format: "minimal"`. */
  encodeMinimal(completion: Completion, taskId: number | null): MinimalCompletion;
  encodeError(error: ErrorFacts): object;
  /** An error after the first byte, as one event of the stream. */
  encodeStreamError(error: ErrorFacts): string;
  /** What ends a stream that ran to its end. */
  readonly streamEnd: string;
  /** The provider's own words in an error body, or `null`. */
  readErrorMessage(body: string): { message: string; code: string | null; param: string | null } | null;
}
