import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode, PriceJson } from '@sluice/contract';
import type { UsableTarget } from '#domain/access/check-model.ts';
import type { Asked } from '#domain/deviation/recent-asks.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { Principal } from '#domain/principal.ts';
import type { PacedWork } from '#platform/paced-work.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Protocol } from '#protocols/protocol.ts';
import type { CallerTools } from '#protocols/translation/tool-names.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Hold } from './allowance/hold.ts';
import type { TaskLimit } from './allowance/task-limit.ts';
import type { RequestAbort } from './request-abort.ts';
import type { BodyHold } from './request-body/body-budget.ts';
import type { AnswerHead } from './response/answer-head.ts';
import type { PublicRoute } from './routes.ts';
import type { InstanceEntry, Signature } from './snapshot/tables/llm-providers.ts';
import type { TaskEntry } from './snapshot/tables/tasks.ts';

// What a request is after each stage, in their order: each knows what the ones before it found. The log row is made
// of all that in one place, `request-log/assemble-record.ts`.

/** A request that has arrived: its id, when it came, and a signal for the caller who leaves. */
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
  /** What the path names, such as a model. */
  readonly parameter: string | null;
  /**
   * Fires when the caller has left and its answer is not read on, or when this node cuts it off: then its reason is the
   * error for the caller (`findCutOffError`).
   */
  readonly abort: RequestAbort;
}

/** What each stage may add to a request. */
export interface StageResults {
  readonly authenticate: { readonly principal: Principal };
  readonly enter: {
    /** What its body holds of this node's memory. */
    readonly bodyHold: BodyHold;
    /** Spreads what its body costs over passes of the event loop. */
    readonly work: PacedWork;
  };
  readonly parse: {
    readonly body: ReceivedBody;
    readonly completion: CompletionRequest | EmbeddingsCall;
    readonly summary: RequestSummary;
  };
  readonly bindTask: {
    /** `null` for administrators who name none and have no one task. */
    readonly task: BoundTask | null;
    readonly taskLimit: TaskLimit | null;
  };
  readonly authorize: {
    /** Instances that may serve this request, best first; never empty. */
    readonly targets: readonly [UsableTarget<InstanceEntry>, ...UsableTarget<InstanceEntry>[]];
  };
  readonly classify: {
    /** `null` where nothing is judged. */
    readonly judgement: Judgement | null;
  };
  readonly plan: {
    /** Where it may go, in this order. */
    readonly attempts: readonly [Attempt, ...Attempt[]];
  };
  readonly admit: {
    /** The planned attempts that its limits can pay for, in their order. */
    readonly affordable: readonly [Attempt, ...Attempt[]];
    /** Where it goes first. */
    readonly firstTarget: UsableTarget<InstanceEntry>;
    /** What it has taken from limits; `settle` gives back what it did not use. */
    readonly hold: Hold;
    /** A likely count of its input, charged where the provider reports none. */
    readonly likelyInputTokens: number;
    /** The gate's cap on each answer, `null` where nothing limits it. */
    readonly outputCap: number | null;
  };
  readonly attempt: {
    /** Present once it begins, so that it is known where a call ends the request. */
    readonly calls: Readonly<Calls>;
    /** The one that succeeded. */
    readonly attempt: Attempt;
    readonly upstream: UpstreamResponse;
  };
  readonly relay: {
    /** Present once there is something to log. */
    readonly answer: Readonly<Answer>;
    /** What the answer costs, where that is known before it leaves; `settle` finds it otherwise. */
    readonly charge: Charge;
  };
  readonly settle: {
    /** Exact counts where the provider reported none; without them estimates are charged. */
    readonly counted: CountedTexts;
  };
}

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Everything that the stages may find, in one object. */
export type AllResults = Intersected<StageResults[keyof StageResults]>;

/**
 * Adds what a stage has found. It does not compile when that is another stage's to find, or was found before: nothing
 * that is known of a request is ever changed.
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

/** A request at its end, however far it came. */
export type Ended = Received & { readonly [Key in keyof AllResults]?: AllResults[Key] | null };

export type Authenticated = Received & StageResults['authenticate'];

/** A request that has its place on this node: until `leave`, it takes a slot of its person and key. */
export type Entered = Authenticated & StageResults['enter'];

/** What came as its body. */
export interface ReceivedBody {
  readonly bytes: number;
  /** In hex, of a body that is longer than what a row keeps of it. */
  readonly sha256: string | null;
  /** As a row keeps it; `null` where it keeps none. */
  readonly text: string | null;
}

/** What the request asks for, as its row has it. */
export interface RequestSummary {
  readonly model: string;
  readonly isStream: boolean;
  readonly prompt: string | null;
}

export type Parsed = Entered & StageResults['parse'];

/** The task that a request works for, through one person's assignment. */
export interface BoundTask {
  readonly assignmentId: number;
  readonly task: TaskEntry;
}

export type Bound = Parsed & StageResults['bindTask'];

export type Authorized = Bound & StageResults['authorize'];

/** What the prompt asks for, and how that is judged. */
export interface Judgement {
  /** With how sure that is, from 0 to 1; `null` for a request without a word. */
  readonly intent: string | null;
  readonly confidence: number | null;
  /** What the prompt says of its person's deviation. */
  readonly signals: SignalValues;
  /** How it asks, for scores. */
  readonly asked: Asked;
}

export type Classified = Authorized & StageResults['classify'];

/** A request as one provider is to get it. */
export interface ProviderRequest {
  /** Caller and provider speak the same protocol: bytes pass as they are. */
  readonly isPassThrough: boolean;
  /** What a caller that named no cap is held to. */
  readonly defaultOutputTokensMax: number;
  /** `outputTokensMax` is the gate's cap on the answer, `null` when it sets none. */
  encodeBody(outputTokensMax: number | null): Buffer | Promise<Buffer>;
  /** What of the request this provider does not take. */
  readonly warnings: readonly string[];
  /** What the caller calls those tools that the provider knows by another name. */
  readonly callerTools: CallerTools;
  /** The first field that may not go to an account which tenants share, `null` when all may. */
  findUnlistedField(): string | null;
}

/** One try at one instance: where to send what, and how to read the answer. */
export interface Attempt extends ProviderRequest, UsableTarget<InstanceEntry> {
  readonly url: URL;
  /** With the newest key first; each holds all headers of its own. */
  readonly signatures: readonly Signature[];
  /** The built-in provider's origin is held in code and not in any row, so its address is not checked. */
  readonly isBuiltIn: boolean;
  readonly protocol: Protocol;
}

export type Planned = Classified & StageResults['plan'];

/** A request that holds what it may use of limits. */
export type Held = Authenticated & Omit<StageResults['admit'], 'affordable'>;

/** Whether a request was admitted: it then holds what it may use, and owes a row. */
export function isHeld(exchange: Ended): exchange is Ended & Held {
  return Boolean(exchange.hold);
}

export type Admitted = Planned & Held & Pick<StageResults['admit'], 'affordable'>;

/** What has been sent to providers so far. */
export interface Calls {
  /** Where the last call went; before the first, where it is to go. */
  target: UsableTarget<InstanceEntry>;
  count: number;
  /** A provider may have seen the request. */
  isSent: boolean;
  /** When the last call was sent, in monotonic milliseconds; `null` before that and once it has failed. */
  workingSinceMs: number | null;
  /** Those that have begun to be answered, or failed, in their order. */
  readonly made: ProviderCall[];
}

/** One call to a provider. Times are milliseconds. */
export interface ProviderCall {
  readonly instanceId: number;
  readonly instanceName: string;
  readonly providerKey: string;
  readonly model: string;
  /** Since the request's receipt. */
  readonly startedMs: number;
  /** Until the provider began to answer, or the call failed. */
  readonly durationMs: number;
  /** `null` where nothing was answered. */
  readonly httpStatus: number | null;
  /** Why it failed; `null` for a call that was answered. */
  readonly errorCode: ErrorCode | null;
  /** What the provider calls its failure, or the system that of the connection. */
  readonly cause: string | null;
  /** Its words, short and without secrets; they may repeat some of the prompt. */
  readonly message: string | null;
}

export type Attempted = Admitted & StageResults['attempt'];

/** One whose answer is a completion. */
export type AttemptedCompletion = Attempted & { readonly completion: CompletionRequest };

/**
 * Where token counts come from: reported by the provider, counted on what was received of a stream that broke, estimated
 * where the provider reported nothing or the caller left before it did, cut to what a row can hold, or not known.
 */
export type UsageSource = 'provider' | 'partial' | 'estimated' | 'capped' | 'none';

/** The output that has come of a stream. */
export interface WrittenOutput {
  /** As much as is kept of it. */
  readonly texts: readonly string[];
  /** How many times what is kept all of it is long. */
  readonly scale: number;
  readonly reasoning: 'none' | 'visible' | 'hidden';
  /** When the first word of the answer itself came, in monotonic milliseconds. */
  readonly firstWordAtMs: number | null;
}

/** What has gone back to the caller so far. */
export interface Answer {
  /** Since receipt. */
  firstByteMs: number | null;
  /** As the provider reports it. */
  usage: Usage | null;
  usageSource: UsageSource;
  /** What the model has written, as a row keeps it. */
  text: string | null;
  /** What the tokens of a stream are counted by where its provider reports none; `null` for a whole answer. */
  written: WrittenOutput | null;
  bytes: number;
  /** How it ended; `null` until then, and where a failure says how. */
  ending: Ending | null;
}

export type RequestStatus = 'success' | 'error' | 'client_closed' | 'refused';

/** The tokens of texts, counted by a tokenizer. `null` where that would take too long. */
export interface CountedTexts {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** How a request ended. */
export interface Ending {
  readonly status: RequestStatus;
  readonly httpStatus: number;
  readonly errorCode: ErrorCode | null;
  readonly errorMessage: string | null;
}

/** As long as nothing says how a request ended; should its process be killed, a replay does. */
export const unended: Ending = { status: 'error', httpStatus: 0, errorCode: null, errorMessage: null };

export const succeeded: Ending = { status: 'success', httpStatus: 200, errorCode: null, errorMessage: null };

/** What a request is charged. */
export interface Charge {
  readonly usage: Usage | null;
  readonly usageSource: UsageSource;
  /** Whole nano-dollars; `null` where no price is known or nothing was used. */
  readonly costNanoUsd: string | null;
  /** The rates that it was charged at. */
  readonly price: ChargedRates | null;
}

export type ChargedRates = PriceJson & { markup_percentage?: number };
