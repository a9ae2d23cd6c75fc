import type { ErrorCode } from '@sluice/contract';
import type { Shape } from './caller-request/request-shape.ts';
import type { ProtocolId } from './canonical/content.ts';
import type { EmbeddingsRequest, EmbeddingsResponse } from './canonical/embeddings.ts';
import type {
  CanonicalRequest,
  Dialect,
  ParsedRequest,
  RepeatedFields,
  RequestProblem,
} from './canonical/request.ts';
import type { CanonicalResponse } from './canonical/response.ts';
import type { StreamDecoder, StreamEncoder, WireEvent } from './canonical/stream-event.ts';
import type { Steps } from './steps.ts';

/** An error as a protocol writes it. */
/** A task as a refusal lists it. */
export interface NamedTask {
  readonly id: number;
  readonly title: string;
}

export interface ErrorFacts {
  readonly code: ErrorCode;
  /** The provider's own code, where it was the provider that refused. */
  readonly providerCode: string | null;
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
  /** The caller's own tasks, where one of them is to be named. */
  readonly tasks?: readonly NamedTask[];
}

/** What a provider said in an error body. */
export interface ProviderError {
  readonly message: string;
  /** Its own; but `context_length_exceeded`, `invalid_api_key` and `insufficient_quota` whatever it calls them. */
  readonly code: string | null;
  readonly param: string | null;
  /** When to come again, where the body says so and not a header. */
  readonly retryAfterMs?: number;
}

/** What an answer repeats of its request, and what a provider may leave for us to make up. */
export interface AnswerContext {
  /** The request's id, from which an answer's id is made when the provider gives none. */
  readonly requestId: string;
  /** The model as the caller named it, for providers that name none. */
  readonly model: string;
  readonly nowSeconds: number;
  readonly wantsUsage: boolean;
  readonly repeatedFields?: RepeatedFields;
}

/** Whom a request is encoded for. */
export interface RequestTarget {
  readonly model: string;
  readonly isStream: boolean;
  /** Used where the protocol demands a cap and the caller gave none. */
  readonly defaultOutputTokensMax: number;
  /** Reasoning models of OpenAI take other names for some fields. */
  readonly isReasoningModel: boolean;
  readonly dialect?: Dialect;
  /** Tenants share the account: nothing that it keeps is named. */
  readonly isAccountShared?: boolean;
}

export type EncodedRequest =
  /** `warnings` name what was left out, in the caller's terms where it has some. */
  | { readonly ok: true; readonly body: object; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What the URL of a request says. */
export interface RequestPath {
  readonly model: string | null;
  readonly isStream: boolean | null;
}

/** What a protocol does for a caller that speaks it. */
export interface CallerSide {
  /** Bytes to the view the pipeline works with; never throws on content. */
  readRequest(body: Buffer, path: RequestPath): Steps<ParsedRequest>;
  /** The same at once. */
  parseRequest(body: Buffer, path: RequestPath): ParsedRequest;
  encodeResponse(response: CanonicalResponse, context: AnswerContext): object;
  createStreamEncoder(context: AnswerContext): StreamEncoder;
  encodeError(error: ErrorFacts, requestId: string): object;
  /** An error after the first byte: the bytes that end the stream. */
  encodeStreamError(error: ErrorFacts, requestId: string): string;
  readonly streamContentType: string;
  /** Its own names for parameters that encoders name as chat completions do, where they differ. */
  readonly parameterNames?: Readonly<Record<string, string>>;
  /** The marker that ends a stream, where the protocol has one that some providers forget. */
  readonly streamEnd?: string;
  /** For streams that callers take in another framing than providers send: frames the events that pass through. */
  createReframer?(): (event: WireEvent) => string;
}

/** What a protocol does for a provider that serves embeddings with it. */
export interface EmbeddingsSide {
  /** A problem names what the provider cannot embed, such as tokens in place of text. */
  encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest;
  /** A provider's whole answer, or `null` when it is not one of this protocol. */
  decodeResponse(body: Buffer): EmbeddingsResponse | null;
}

/** What a protocol does for a provider that speaks it. */
export interface ProviderSide {
  encodeRequest(request: CanonicalRequest, target: RequestTarget): EncodedRequest;
  /** What may go out to an account that tenants share; absent where a request can name nothing that is kept. */
  readonly sharedAccountRequest?: Shape;
  /** A provider's whole answer, or `null` when it is not one of this protocol. */
  decodeResponse(body: Buffer): CanonicalResponse | null;
  createStreamDecoder(): StreamDecoder;
  /** How the stream is framed. */
  readonly framing: 'sse' | 'ndjson';
  readErrorMessage(body: string): ProviderError | null;
  /** Absent where the protocol has none. */
  readonly embeddings?: EmbeddingsSide;
}

/** How bytes look on the wire, both ways. Pure: no sockets, no timers, no globals. */
export interface Protocol {
  readonly id: ProtocolId;
  /** Absent for protocols that only providers speak. */
  readonly caller?: CallerSide;
  readonly provider: ProviderSide;
}
