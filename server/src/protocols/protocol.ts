import type { ContextOverflow, ErrorCode, NamedTask } from '@sluice/contract';
import type { Steps } from '#platform/steps.ts';
import type { Shape } from './caller-request/request-shape.ts';
import type { ProtocolId } from './canonical/content.ts';
import type { EmbeddingsRequest, EmbeddingsResponse } from './canonical/embeddings.ts';
import type {
  CanonicalRequest,
  Dialect,
  ModelFacts,
  ParsedRequest,
  RepeatedFields,
  RequestProblem,
} from './canonical/request.ts';
import type { CanonicalResponse } from './canonical/response.ts';
import type { StreamDecoder, StreamEncoder, StreamEvent, WireEvent } from './canonical/stream-event.ts';

export interface ErrorFacts {
  readonly code: ErrorCode;
  /** Provider's error code. One of OpenAI's codes if the error has a common meaning (`error-meanings.ts`). */
  readonly providerCode: string | null;
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
  readonly retryAfterMs?: number | undefined;
  /**
   * Sizes for the message in the caller's protocol. Set if a provider of another protocol rejected the prompt as too
   * long.
   */
  readonly overflow?: ContextOverflow | undefined;
  /** Tasks of the caller, if the error asks the caller to specify one. */
  readonly tasks?: readonly NamedTask[];
}

export interface ProviderError {
  readonly message: string;
  /** Provider's code, or OpenAI's code for an error with a common meaning (`error-meanings.ts`). */
  readonly code: string | null;
  readonly param: string | null;
  /** Retry delay from the body, for providers that do not send the delay in a header. */
  readonly retryAfterMs?: number;
}

export interface AnswerContext {
  /** Request id of the gateway. The response id is derived from this id if the provider sends none. */
  readonly requestId: string;
  /** Model name used by the caller, for providers that do not return a name. */
  readonly model: string;
  readonly nowSeconds: number;
  readonly wantsUsage: boolean;
  readonly repeatedFields?: RepeatedFields;
}

export interface PassedFrames {
  start: Extract<StreamEvent, { type: 'start' }> | null;
  last: WireEvent | null;
  count: number;
}

export interface RequestTarget {
  readonly model: string;
  readonly isStream: boolean;
  /** Known maximum output of the model. Used if the protocol requires a cap and the caller set none. */
  readonly defaultOutputTokensMax: number;
  /** Whether OpenAI's rules for reasoning models apply: developer texts, no sampling. */
  readonly isReasoningModel: boolean;
  readonly facts?: ModelFacts;
  readonly dialect?: Dialect;
  /** Whether tenants share the account. If so, references to stored objects are not sent. */
  readonly isAccountShared?: boolean;
}

export type EncodedRequest =
  /** `warnings` lists the omitted features, by the caller's names if possible. */
  | { readonly ok: true; readonly body: object; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: RequestProblem };

export interface RequestPath {
  readonly model: string | null;
  readonly isStream: boolean | null;
}

export interface CallerSide {
  /** Parses bytes into the form that the pipeline uses. Never throws on content. */
  readRequest(body: Buffer, path: RequestPath): Steps<ParsedRequest>;
  /** Like `readRequest`, but in one step. */
  parseRequest(body: Buffer, path: RequestPath): ParsedRequest;
  encodeResponse(response: CanonicalResponse, context: AnswerContext): object;
  createStreamEncoder(context: AnswerContext): StreamEncoder;
  encodeError(error: ErrorFacts, requestId: string): object;
  /**
   * Returns the bytes that end a stream when an error occurs after the first byte. `passed` describes the stream so
   * far.
   */
  encodeStreamError(error: ErrorFacts, context: AnswerContext, passed?: PassedFrames): string;
  readonly streamContentType: string;
  /** Whether responses cannot contain images. Images are then replaced with text. */
  readonly lacksImages?: boolean;
  /** Maps chat completions parameter names, which encoders use, to the names in this protocol if they differ. */
  readonly parameterNames?: Readonly<Record<string, string>>;
  /** End-of-stream marker, for protocols in which some providers omit it. */
  readonly streamEnd?: string;
  /**
   * Creates a function that frames forwarded events, for streams whose framing differs between callers and providers.
   */
  createReframer?(): (event: WireEvent) => string;
}

export interface EmbeddingsSide {
  /** Encodes a request. A problem names what the provider cannot embed, such as tokens instead of text. */
  encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest;
  /** Decodes a complete response; returns `null` if it does not match this protocol. */
  decodeResponse(body: Buffer): EmbeddingsResponse | null;
}

export interface ProviderSide {
  encodeInSteps(request: CanonicalRequest, target: RequestTarget): Steps<EncodedRequest>;
  /** Like `encodeInSteps`, but in one step. */
  encodeRequest(request: CanonicalRequest, target: RequestTarget): EncodedRequest;
  /** Fields that may be sent to an account that tenants share. Absent if requests cannot refer to stored objects. */
  readonly sharedAccountRequest?: Shape;
  /** Whether each request must have an output cap. */
  readonly requiresOutputCap?: boolean;
  /** Decodes a complete response; returns `null` if it does not match this protocol. */
  decodeResponse(body: Buffer): CanonicalResponse | null;
  createStreamDecoder(): StreamDecoder;
  readonly framing: 'sse' | 'ndjson';
  readErrorMessage(body: string): ProviderError | null;
  readonly embeddings?: EmbeddingsSide;
}

/** Implementations are pure: no sockets, timers or globals. */
export interface Protocol {
  readonly id: ProtocolId;
  /** Absent for protocols that only providers use. */
  readonly caller?: CallerSide;
  readonly provider: ProviderSide;
}
