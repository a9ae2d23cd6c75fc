import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode, Labels, PriceJson } from '@sluice/contract';
import type { UsableTarget } from '#domain/access/check-model.ts';
import type { TextOrigin } from '#domain/deviation/fold.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { Principal } from '#domain/principal.ts';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { PacedWork } from '#platform/paced-work.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Protocol, ProviderError } from '#protocols/protocol.ts';
import type { CallerTools } from '#protocols/translation/tool-names.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Hold } from './allowance/hold.ts';
import type { TaskLimit } from './allowance/task-limit.ts';
import type { AnswerHead } from './answer-head.ts';
import type { RequestAbort } from './request-abort.ts';
import type { BodyHold } from './request-body/body-hold.ts';
import type { PublicRoute } from './routes.ts';
import type { ChargedPrice } from './snapshot/price-target.ts';
import type { BudgetEntry } from './snapshot/tables/budgets.ts';
import type { InstanceEntry, Signature } from './snapshot/tables/llm-providers.ts';
import type { TaskEntry } from './snapshot/tables/tasks.ts';

export interface Received {
  readonly id: string;
  readonly clientRequestId: string | null;
  /** Wall-clock milliseconds. */
  readonly receivedAtMs: number;
  /** Monotonic milliseconds at receipt, to measure durations. */
  readonly startedMs: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: AnswerHead;
  readonly route: PublicRoute;
  /** Whether the path has a root other than `/api`, as on other gateways, such as `/v1/chat/completions`. */
  readonly isShort: boolean;
  readonly parameter: string | null;
  /**
   * Aborts when the caller has disconnected and the response is no longer read, or when this node cuts the request
   * off. In the latter case, the reason is the error for the caller (`findCutOffError`).
   */
  readonly abort: RequestAbort;
}

export interface StageResults {
  readonly authenticate: {
    readonly principal: Principal;
    /** IP address of the client. Empty for requests from inside the process. */
    readonly address: string;
  };
  readonly enter: {
    readonly bodyHold: BodyHold;
    /** Spreads the CPU cost of the body over event-loop turns. */
    readonly work: PacedWork;
  };
  readonly parse: {
    readonly body: ReceivedBody;
    readonly completion: CompletionRequest | EmbeddingsCall;
    readonly summary: RequestSummary;
  };
  readonly bindTask: {
    /** `null` for administrators who specify no task, unless they have exactly one. */
    readonly task: BoundTask | null;
    readonly taskLimit: TaskLimit | null;
    /** Returns the labels of the request. Team labels depend on the team whose grant allows the request. */
    readonly labelsUnder: (teamId: number | null) => Labels | null;
  };
  readonly authorize: {
    /** Instances that may serve this request, best first. Never empty. */
    readonly targets: readonly [UsableTarget<InstanceEntry>, ...UsableTarget<InstanceEntry>[]];
  };
  readonly classify: {
    /** `null` if the request is not judged. */
    readonly judgment: Judgment | null;
  };
  readonly plan: {
    readonly attempts: readonly [Attempt, ...Attempt[]];
  };
  readonly admit: {
    readonly affordable: readonly [Attempt, ...Attempt[]];
    /** Prices of `affordable`, in the same order. Changes while the request runs do not affect its charge. */
    readonly prices: readonly (ChargedPrice | null)[];
    readonly firstTarget: UsableTarget<InstanceEntry>;
    readonly hold: Hold;
    /** Exhausted budgets that routed the request to another model. */
    readonly routedBy?: readonly BudgetEntry[];
    /** Estimated input tokens, charged if the provider reports no usage. */
    readonly likelyInputTokens: number;
    /** Output cap set by the gateway; `null` if nothing limits the response. */
    readonly outputCap: number | null;
  };
  readonly attempt: {
    /** Added when the stage starts, so that the calls are available if the request ends during a call. */
    readonly calls: Readonly<Calls>;
    readonly attempt: Attempt;
    readonly upstream: UpstreamResponse;
  };
  readonly relay: {
    /** Present once there is something to log. */
    readonly answer: Readonly<Answer>;
    /** Cost of the response, if known before the response is sent. Otherwise, stage 12 computes the cost. */
    readonly charge: Charge;
  };
  readonly settle: {
    /** Exact counts, if the provider reported none. If absent, estimates are charged. */
    readonly counted: CountedTexts;
  };
}

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export type AllResults = Intersected<StageResults[keyof StageResults]>;

/**
 * Adds the results of a stage. Does not compile if a result belongs to another stage or was already added, so
 * existing results never change.
 */
export function addResult<
  Known extends Received,
  Stage extends keyof StageResults,
  Result extends Partial<StageResults[Stage]>,
>(
  exchange: Known,
  _stage: Stage,
  result: Result & {
    readonly [Key in keyof Result]: Key extends Exclude<keyof StageResults[Stage], keyof Known>
      ? unknown
      : never;
  },
): Known & Result {
  return Object.assign(exchange, result);
}

export type Ended = Received & { readonly [Key in keyof AllResults]?: AllResults[Key] | null };

export type Authenticated = Received & StageResults['authenticate'];

/** Request that entered this node and occupies a slot of its user and key until `leave`. */
export type Entered = Authenticated & StageResults['enter'];

export interface ReceivedBody {
  readonly bytes: number;
  /** Hexadecimal SHA-256 of a body too long to be kept whole in the row. */
  readonly sha256: string | null;
  /** Text kept in the row, possibly as bytes; `null` if no text is kept. */
  readonly text: string | Buffer | null;
}

export interface RequestSummary {
  readonly model: string;
  readonly isStream: boolean;
  readonly prompt: string | null;
}

export type Parsed = Entered & StageResults['parse'];

export interface BoundTask {
  readonly assignmentId: number;
  readonly task: TaskEntry;
}

export type Bound = Parsed & StageResults['bindTask'];

export type Authorized = Bound & StageResults['authorize'];

export interface Judgment {
  /** Intent of the prompt; `null` for a request without text. `confidence` is from 0 to 1. */
  readonly intent: string | null;
  readonly confidence: number | null;
  readonly signals: SignalValues;
  readonly asked: TextOrigin;
}

export type Classified = Authorized & StageResults['classify'];

export interface ProviderRequest {
  /** Whether caller and provider use the same protocol, in which case bytes are passed through unchanged. */
  readonly isPassThrough: boolean;
  /** Known maximum output of the model, which limits a response without a cap. */
  readonly defaultOutputTokensMax: number;
  /**
   * Returns the output cap to write into the body; `null` for no cap. `limitCap` is the cap required by the limits,
   * `null` if nothing limits the response.
   */
  fitCap(limitCap: number | null, inputTokens: number): number | null;
  encodeBody(limitCap: number | null, inputTokens: number): Buffer | Promise<Buffer>;
  /**
   * Translated body without the gateway's cap, whose fields the provider may reject; `null` for the caller's original
   * bytes.
   */
  readonly optionalBody: object | null;
  readonly warnings: readonly string[];
  readonly callerTools: CallerTools;
  /** Returns the first field that is not allowed for accounts shared by tenants; `null` if all fields are allowed. */
  findUnlistedField(): string | null;
}

export interface Attempt extends ProviderRequest, UsableTarget<InstanceEntry> {
  readonly url: URL;
  /** Headers for each key, newest key first. */
  readonly signatures: readonly Signature[];
  /** Whether this is the built-in provider, whose URL is set by the server itself and therefore not checked. */
  readonly isBuiltIn: boolean;
  readonly protocol: Protocol;
  /**
   * Returns the attempt without the parts that the provider rejected, an error if these parts cannot be omitted, or
   * `null` if the request itself is invalid.
   */
  repair?(rejection: Rejection, sent: SentLimits): Promise<Attempt | GatewayError | null>;
  onAccepted?(): void;
}

export interface Rejection extends Pick<ProviderError, 'message' | 'code' | 'param'> {
  /** `null` if there was no response. */
  readonly httpStatus: number | null;
}

export interface SentLimits {
  readonly limitCap: number | null;
  readonly inputTokens: number;
}

export type Planned = Classified & StageResults['plan'];

export type Held = Authenticated & Omit<StageResults['admit'], 'affordable' | 'prices'>;

export function isHeld(exchange: Ended): exchange is Ended & Held {
  return Boolean(exchange.hold);
}

export type Admitted = Planned & Held & Pick<StageResults['admit'], 'affordable' | 'prices'>;

export interface Calls {
  target: UsableTarget<InstanceEntry>;
  count: number;
  /** Whether a provider may have seen the request. */
  isSent: boolean;
  /** When the last call was sent, in monotonic milliseconds; `null` before that and after the call failed. */
  workingSinceMs: number | null;
  made: readonly ProviderCall[];
}

export interface ProviderCall {
  readonly instanceId: number;
  readonly instanceName: string;
  readonly providerKey: string;
  readonly model: string;
  /** Time from receipt of the request to the start of the call, in milliseconds. */
  readonly startedMs: number;
  /** Time until the provider started to respond or the call failed, in milliseconds. */
  readonly durationMs: number;
  /** `null` if there was no response. */
  readonly httpStatus: number | null;
  /** Error code of a failed call; `null` for a call with a response. */
  readonly errorCode: ErrorCode | null;
  /** Error code from the provider, or from the system for a connection failure. */
  readonly cause: string | null;
  /** Short error message without secrets. May repeat parts of the prompt. */
  readonly message: string | null;
}

export type Attempted = Admitted & StageResults['attempt'];

export type AttemptedCompletion = Attempted & { readonly completion: CompletionRequest };

/**
 * Source of token counts: reported by the provider, counted from the received part of a broken stream, estimated
 * because the provider reported nothing, capped to the maximum of a row, or unknown.
 */
export type UsageSource = 'provider' | 'partial' | 'estimated' | 'capped' | 'none';

export interface WrittenOutput {
  readonly texts: readonly string[];
  /** Total length divided by the kept length. */
  readonly scale: number;
  readonly reasoning: 'none' | 'visible' | 'hidden';
  /** Monotonic milliseconds at which the first word of the response text arrived, or `null`. */
  readonly firstWordAtMs: number | null;
}

export interface Answer {
  /** Time from receipt of the request to the first byte, in milliseconds. */
  firstByteMs: number | null;
  usage: Usage | null;
  usageSource: UsageSource;
  text: string | null;
  /** Output from which tokens are counted if the provider reports no usage; `null` for a non-streamed response. */
  written: WrittenOutput | null;
  imageCount: number;
  bytes: number;
  /** How the request ended. `null` while it is running, or if the failure determines the ending. */
  ending: Ending | null;
}

export type RequestStatus = 'success' | 'error' | 'client_closed' | 'refused';

/** Exact token counts; `null` if counting would take too long. */
export interface CountedTexts {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface Ending {
  readonly status: RequestStatus;
  readonly httpStatus: number;
  readonly errorCode: ErrorCode | null;
  readonly errorMessage: string | null;
}

/** Used until the ending is known. If the process is killed, the journal replay sets the ending. */
export const unended: Ending = { status: 'error', httpStatus: 0, errorCode: null, errorMessage: null };

/** Returns the ending of a response that reports an error despite its status 200. */
export function failedInside(errorCode: ErrorCode, errorMessage: string): Ending {
  return { status: 'error', httpStatus: 200, errorCode, errorMessage };
}

export const succeeded: Ending = { status: 'success', httpStatus: 200, errorCode: null, errorMessage: null };

export interface Charge {
  readonly usage: Usage | null;
  readonly usageSource: UsageSource;
  /** Whole nano-dollars; `null` if no price is known or nothing was used. */
  readonly costNanoUsd: string | null;
  readonly price: ChargedRates | null;
}

export type ChargedRates = PriceJson & { markup_percentage?: number };
