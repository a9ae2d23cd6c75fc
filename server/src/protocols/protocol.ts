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
  /**
   * The provider's error code: one of OpenAI's if the error has a common meaning (`error-meanings.ts`), otherwise the
   * provider's own.
   */
  readonly providerCode: string | null;
  readonly status: number;
  readonly message: string;
  readonly param: string | null;
  readonly retryAfterMs?: number | undefined;
  /** Sizes for the message in the caller's protocol, if a provider of another protocol rejected the prompt as too long. */
  readonly overflow?: ContextOverflow | undefined;
  /** The caller's tasks, if the error asks the caller to name one. */
  readonly tasks?: readonly NamedTask[];
}

/** Content of a provider's error body. */
export interface ProviderError {
  readonly message: string;
  /** The provider's code, or OpenAI's code for an error with a common meaning (`error-meanings.ts`). */
  readonly code: string | null;
  readonly param: string | null;
  /** Retry delay from the body, for providers that do not send it in a header. */
  readonly retryAfterMs?: number;
}

/** Data of the request that its response repeats, and fallbacks for what the provider leaves out. */
export interface AnswerContext {
  /** The gateway's request id. The response id is derived from it if the provider sends none. */
  readonly requestId: string;
  /** The model as the caller named it, for providers that do not return a name. */
  readonly model: string;
  readonly nowSeconds: number;
  readonly wantsUsage: boolean;
  readonly repeatedFields?: RepeatedFields;
}

/** Frames of a stream that a caller received as the provider wrote them. */
export interface PassedFrames {
  start: Extract<StreamEvent, { type: 'start' }> | null;
  last: WireEvent | null;
  count: number;
}

/** The model and account that a request is encoded for. */
export interface RequestTarget {
  readonly model: string;
  readonly isStream: boolean;
  /** The model's maximum output as far as it is known: used if the protocol requires a cap and the caller gave none. */
  readonly defaultOutputTokensMax: number;
  /** Whether OpenAI's rules for its reasoning models apply: developer texts, no sampling. */
  readonly isReasoningModel: boolean;
  /** Facts about the model; absent if none are known. */
  readonly facts?: ModelFacts;
  readonly dialect?: Dialect;
  /** Whether tenants share the account; if so, references to stored objects are not sent. */
  readonly isAccountShared?: boolean;
}

export type EncodedRequest =
  /** `warnings` name what was left out, in the caller's terms if possible. */
  | { readonly ok: true; readonly body: object; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: RequestProblem };

/** The parts of a request that are in its URL. */
export interface RequestPath {
  readonly model: string | null;
  readonly isStream: boolean | null;
}

/** Protocol operations for callers. */
export interface CallerSide {
  /** Parses bytes into the form that the pipeline uses; never throws on content. */
  readRequest(body: Buffer, path: RequestPath): Steps<ParsedRequest>;
  /** Same as `readRequest`, in one step. */
  parseRequest(body: Buffer, path: RequestPath): ParsedRequest;
  encodeResponse(response: CanonicalResponse, context: AnswerContext): object;
  createStreamEncoder(context: AnswerContext): StreamEncoder;
  encodeError(error: ErrorFacts, requestId: string): object;
  /** Returns the bytes that end a stream when an error occurs after the first byte; `passed` describes that stream. */
  encodeStreamError(error: ErrorFacts, context: AnswerContext, passed?: PassedFrames): string;
  readonly streamContentType: string;
  /** Whether its responses cannot contain images, which are then replaced by a text. */
  readonly lacksImages?: boolean;
  /** Maps chat completions parameter names, which encoders use, to those of this protocol if they differ. */
  readonly parameterNames?: Readonly<Record<string, string>>;
  /** End-of-stream marker, for protocols in which some providers omit it. */
  readonly streamEnd?: string;
  /** Frames forwarded events for streams whose framing differs between callers and providers. */
  createReframer?(): (event: WireEvent) => string;
}

/** Protocol operations for providers of embeddings. */
export interface EmbeddingsSide {
  /** The problem names what the provider cannot embed, such as tokens instead of text. */
  encodeRequest(request: EmbeddingsRequest, model: string): EncodedRequest;
  /** Decodes a complete response; returns `null` if it does not match this protocol. */
  decodeResponse(body: Buffer): EmbeddingsResponse | null;
}

/** Protocol operations for providers. */
export interface ProviderSide {
  encodeInSteps(request: CanonicalRequest, target: RequestTarget): Steps<EncodedRequest>;
  /** Same as `encodeInSteps`, in one step. */
  encodeRequest(request: CanonicalRequest, target: RequestTarget): EncodedRequest;
  /**
   * The fields that may be sent to an account that tenants share; absent if requests cannot refer to stored objects.
   */
  readonly sharedAccountRequest?: Shape;
  /** Whether each request must name an output cap. */
  readonly requiresOutputCap?: boolean;
  /** Decodes a complete response; returns `null` if it does not match this protocol. */
  decodeResponse(body: Buffer): CanonicalResponse | null;
  createStreamDecoder(): StreamDecoder;
  readonly framing: 'sse' | 'ndjson';
  readErrorMessage(body: string): ProviderError | null;
  /** Absent if the protocol has no embeddings. */
  readonly embeddings?: EmbeddingsSide;
}

/** Wire format in both directions. Pure: no sockets, timers or globals. */
export interface Protocol {
  readonly id: ProtocolId;
  /** Absent for protocols that only providers use. */
  readonly caller?: CallerSide;
  readonly provider: ProviderSide;
}
