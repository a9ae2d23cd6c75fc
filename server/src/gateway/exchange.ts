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
import type { BudgetEntry } from './snapshot/tables/budgets.ts';
import type { InstanceEntry, Signature } from './snapshot/tables/llm-providers.ts';
import type { TaskEntry } from './snapshot/tables/tasks.ts';

// Types of a request after each stage, in order: each stage can read the results of the previous ones. The log row is
// built from all of them in one place, `request-log/assemble-record.ts`.

/** A received request: its id, its time of receipt, and an abort signal for when the caller disconnects. */
export interface Received {
  readonly id: string;
  /** The client's own `x-request-id`. */
  readonly clientRequestId: string | null;
  /** Wall-clock milliseconds. */
  readonly receivedAtMs: number;
  /** Monotonic milliseconds at receipt, for durations. */
  readonly startedMs: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: AnswerHead;
  readonly route: PublicRoute;
  /** Whether the request used a path of other gateways, such as `/v1/chat/completions`. */
  readonly isShort: boolean;
  /** Path parameter, such as a model. */
  readonly parameter: string | null;
  /**
   * Fires when the caller has disconnected and the response is no longer read, or when this node cuts the request
   * off; the reason is then the error for the caller (`findCutOffError`).
   */
  readonly abort: RequestAbort;
}

export interface StageResults {
  readonly authenticate: {
    readonly principal: Principal;
    /** The client's IP address; empty for a request from inside the process. */
    readonly address: string;
  };
  readonly enter: {
    /** Memory that the body occupies in this node's budget. */
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
    /** `null` for administrators who name no task, unless they have exactly one. */
    readonly task: BoundTask | null;
    readonly taskLimit: TaskLimit | null;
    /** Returns the labels of the request. Team labels depend on the team whose grant allows it. */
    readonly labelsUnder: (teamId: number | null) => Labels | null;
  };
  readonly authorize: {
    /** Instances that may serve this request, best first; never empty. */
    readonly targets: readonly [UsableTarget<InstanceEntry>, ...UsableTarget<InstanceEntry>[]];
  };
  readonly classify: {
    /** `null` if the request is not judged. */
    readonly judgment: Judgment | null;
  };
  readonly plan: {
    /** Planned attempts, in order. */
    readonly attempts: readonly [Attempt, ...Attempt[]];
  };
  readonly admit: {
    /** The planned attempts that the limits cover, in order. */
    readonly affordable: readonly [Attempt, ...Attempt[]];
    /** Target of the first attempt. */
    readonly firstTarget: UsableTarget<InstanceEntry>;
    /** Amounts reserved from limits; `settle` releases the unused part. */
    readonly hold: Hold;
    /** Budgets at their limit that sent the request to another model; absent for most requests. */
    readonly routedBy?: readonly BudgetEntry[];
    /** Estimated input tokens, charged if the provider reports none. */
    readonly likelyInputTokens: number;
    /** The gateway's output cap; `null` if nothing limits the response. */
    readonly outputCap: number | null;
  };
  readonly attempt: {
    /** Added when the stage starts, so that it is available if the request ends during a call. */
    readonly calls: Readonly<Calls>;
    /** The attempt that succeeded. */
    readonly attempt: Attempt;
    readonly upstream: UpstreamResponse;
  };
  readonly relay: {
    /** Present once there is something to log. */
    readonly answer: Readonly<Answer>;
    /** Cost of the response if known before it is sent; otherwise `settle` computes it. */
    readonly charge: Charge;
  };
  readonly settle: {
    /** Exact counts for a provider that reported none; if absent, estimates are charged. */
    readonly counted: CountedTexts;
  };
}

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** All results of all stages, in one object. */
export type AllResults = Intersected<StageResults[keyof StageResults]>;

/**
 * Adds the results of a stage. Does not compile if a result belongs to another stage or was already added, so results
 * never change.
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

/** An ended request, after any of the stages. */
export type Ended = Received & { readonly [Key in keyof AllResults]?: AllResults[Key] | null };

export type Authenticated = Received & StageResults['authenticate'];

/** A request that entered this node; until `leave`, it occupies a slot of its user and key. */
export type Entered = Authenticated & StageResults['enter'];

export interface ReceivedBody {
  readonly bytes: number;
  /** Hex hash of a body longer than the part its row keeps. */
  readonly sha256: string | null;
  /** Text kept in the row, or its bytes; `null` if none is kept. */
  readonly text: string | Buffer | null;
}

/** Request fields for its row. */
export interface RequestSummary {
  readonly model: string;
  readonly isStream: boolean;
  readonly prompt: string | null;
}

export type Parsed = Entered & StageResults['parse'];

/** The task of a request, through one user's assignment. */
export interface BoundTask {
  readonly assignmentId: number;
  readonly task: TaskEntry;
}

export type Bound = Parsed & StageResults['bindTask'];

export type Authorized = Bound & StageResults['authorize'];

/** Intent of the prompt, and its judgment. */
export interface Judgment {
  /** Intent, with its confidence from 0 to 1; `null` for a request without text. */
  readonly intent: string | null;
  readonly confidence: number | null;
  /** Deviation signals of the prompt. */
  readonly signals: SignalValues;
  /** Kind of request, for scores. */
  readonly asked: TextOrigin;
}

export type Classified = Authorized & StageResults['classify'];

/** A request encoded for one provider. */
export interface ProviderRequest {
  /** Whether caller and provider speak the same protocol, so that bytes pass unchanged. */
  readonly isPassThrough: boolean;
  /** The model's maximum output if known, which limits a response without a cap. */
  readonly defaultOutputTokensMax: number;
  /**
   * Returns the output cap that the gateway writes into the body, `null` for none. `limitCap` is that of the limits,
   * `null` if nothing limits the response.
   */
  fitCap(limitCap: number | null, inputTokens: number): number | null;
  /** Encodes the body with that cap. */
  encodeBody(limitCap: number | null, inputTokens: number): Buffer | Promise<Buffer>;
  /**
   * The translated body without the gateway's cap, whose fields the provider may reject; `null` for the caller's
   * original bytes.
   */
  readonly optionalBody: object | null;
  /** Parts of the request that this provider does not support. */
  readonly warnings: readonly string[];
  /** The caller's names of tools that are sent to the provider under another name. */
  readonly callerTools: CallerTools;
  /** Returns the first field that is not allowed for accounts shared by tenants, `null` if all are allowed. */
  findUnlistedField(): string | null;
}

/** One attempt at one instance: the request to send, its destination, and how to read the response. */
export interface Attempt extends ProviderRequest, UsableTarget<InstanceEntry> {
  readonly url: URL;
  /** Headers for each key, newest key first. */
  readonly signatures: readonly Signature[];
  /**
   * Whether this is the built-in provider, whose origin is hard-coded rather than stored in a row, so its URL is
   * not checked.
   */
  readonly isBuiltIn: boolean;
  readonly protocol: Protocol;
  /**
   * Returns the attempt without the parts that the provider rejected, an error if they cannot be omitted, or `null`
   * if the request itself is invalid.
   */
  repair?(rejection: Rejection, sent: SentLimits): Promise<Attempt | GatewayError | null>;
  /** Called when the provider has accepted the request. */
  onAccepted?(): void;
}

/** A provider's error response, without secrets. */
export interface Rejection extends Pick<ProviderError, 'message' | 'code' | 'param'> {
  /** `null` if there was no response. */
  readonly httpStatus: number | null;
}

/** The limits that a body was encoded with. */
export interface SentLimits {
  readonly limitCap: number | null;
  readonly inputTokens: number;
}

export type Planned = Classified & StageResults['plan'];

/** An admitted request, which holds amounts of its limits. */
export type Held = Authenticated & Omit<StageResults['admit'], 'affordable'>;

/** Whether a request was admitted. An admitted request has a hold and must get a row. */
export function isHeld(exchange: Ended): exchange is Ended & Held {
  return Boolean(exchange.hold);
}

export type Admitted = Planned & Held & Pick<StageResults['admit'], 'affordable'>;

/** State of the provider calls so far. */
export interface Calls {
  /** Target of the last call; before the first call, its planned target. */
  target: UsableTarget<InstanceEntry>;
  count: number;
  /** Whether a provider may have seen the request. */
  isSent: boolean;
  /** When the last call was sent, in monotonic milliseconds; `null` before that and after it failed. */
  workingSinceMs: number | null;
  /** Calls that failed or whose response has started, in order. */
  made: readonly ProviderCall[];
}

/** One call to a provider. Times are milliseconds. */
export interface ProviderCall {
  readonly instanceId: number;
  readonly instanceName: string;
  readonly providerKey: string;
  readonly model: string;
  /** Milliseconds between receipt of the request and the start of the call. */
  readonly startedMs: number;
  /** Time until the provider started to respond or the call failed. */
  readonly durationMs: number;
  /** `null` if there was no response. */
  readonly httpStatus: number | null;
  /** Why it failed; `null` for a call with a response. */
  readonly errorCode: ErrorCode | null;
  /** The provider's error code, or the system's for a connection failure. */
  readonly cause: string | null;
  /** Error message, short and without secrets; may repeat parts of the prompt. */
  readonly message: string | null;
}

export type Attempted = Admitted & StageResults['attempt'];

/** An attempt whose response is a completion. */
export type AttemptedCompletion = Attempted & { readonly completion: CompletionRequest };

/**
 * Source of token counts: reported by the provider, counted on the received part of a broken stream, estimated if the
 * provider reported nothing, capped to what a row can hold, or unknown.
 */
export type UsageSource = 'provider' | 'partial' | 'estimated' | 'capped' | 'none';

/** Output received so far from a stream. */
export interface WrittenOutput {
  /** Kept part of the texts. */
  readonly texts: readonly string[];
  /** Total length as a multiple of the kept length. */
  readonly scale: number;
  readonly reasoning: 'none' | 'visible' | 'hidden';
  /** When the first word of the response text arrived, in monotonic milliseconds. */
  readonly firstWordAtMs: number | null;
}

/** State of the response to the caller. */
export interface Answer {
  /** Milliseconds between receipt of the request and the first byte. */
  firstByteMs: number | null;
  /** Usage as reported by the provider. */
  usage: Usage | null;
  usageSource: UsageSource;
  /** The model's text, as kept in the row. */
  text: string | null;
  /** Basis for counting a stream's tokens if its provider reports none; `null` for a non-streamed response. */
  written: WrittenOutput | null;
  imageCount: number;
  bytes: number;
  /** How the request ended. `null` while it is running, or if its failure says how it ended. */
  ending: Ending | null;
}

export type RequestStatus = 'success' | 'error' | 'client_closed' | 'refused';

/** Exact token counts of texts; `null` if counting would take too long. */
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

/** Used until the ending is known; if the process is killed, the journal's replay sets the ending. */
export const unended: Ending = { status: 'error', httpStatus: 0, errorCode: null, errorMessage: null };

/** Returns the ending of a response that reports an error although its status is 200. */
export function failedInside(errorCode: ErrorCode, errorMessage: string): Ending {
  return { status: 'error', httpStatus: 200, errorCode, errorMessage };
}

export const succeeded: Ending = { status: 'success', httpStatus: 200, errorCode: null, errorMessage: null };

export interface Charge {
  readonly usage: Usage | null;
  readonly usageSource: UsageSource;
  /** Whole nano-dollars; `null` if no price is known or nothing was used. */
  readonly costNanoUsd: string | null;
  /** Rates used to calculate the cost. */
  readonly price: ChargedRates | null;
}

export type ChargedRates = PriceJson & { markup_percentage?: number };
