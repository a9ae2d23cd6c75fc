import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UsableTarget } from '#domain/access/judge-model.ts';
import type { Principal } from '#domain/principal.ts';
import type { PacedWork } from '#platform/turns.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { Protocol } from '#protocols/protocol.ts';
import type { CallerTools } from '#protocols/translation/tool-names.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Hold } from './allowance/hold.ts';
import type { TaskLimit } from './allowance/task-limit.ts';
import type { BodyHold } from './request-body/body-budget.ts';
import type { RequestRecord } from './request-record.ts';
import type { PublicRoute } from './routes.ts';
import type { InstanceEntry, TaskEntry } from './snapshot/entries.ts';

// What a request is after each stage, in their order: each knows what the ones before it found.

/** A request that has arrived: our id, its log row in the making, and a signal for the caller's departure. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: PublicRoute;
  /** What the path names, such as a model. */
  readonly parameter: string | null;
  readonly record: RequestRecord;
  /** What of its body the row will hold: it joins the record at the end, since an admission is journaled without it. */
  keptBody: string | null;
  /** Monotonic milliseconds at receipt, for durations. */
  readonly startedMs: number;
  /**
   * Aborts when the caller's connection closes before the answer is complete, or when their access is withdrawn: then
   * its reason is the error to tell them (`findWithdrawal`).
   */
  readonly departure: AbortSignal;
  /** What aborts it. */
  readonly departing: AbortController;
}

export interface Authenticated extends Received {
  readonly principal: Principal;
}

/** A request that has its place on this node: until `leave`, it takes a slot of its person and key. */
export interface Entered extends Authenticated {
  /** What its body holds of this node's memory. */
  readonly bodyHold: BodyHold;
  /** Spreads what its body costs over passes of the event loop. */
  readonly work: PacedWork;
  /** Gives back all of it; to be called once, when the request has ended. */
  readonly leave: () => void;
}

export interface Parsed extends Entered {
  readonly completion: CompletionRequest | EmbeddingsCall;
}

/** The task that a request works for, through one person's assignment. */
export interface BoundTask {
  readonly assignmentId: number;
  readonly task: TaskEntry;
}

export interface Bound extends Parsed {
  /** `null` for administrators who name none and have no one task. */
  readonly task: BoundTask | null;
  readonly taskLimit: TaskLimit | null;
}

export interface Authorized extends Bound {
  /** Instances that may serve this request, best first; never empty. */
  readonly targets: readonly [UsableTarget<InstanceEntry>, ...UsableTarget<InstanceEntry>[]];
}

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
  /** What signs the call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The built-in provider's origin is held in code and not in any row, so its address is not checked. */
  readonly isBuiltIn: boolean;
  readonly protocol: Protocol;
}

export interface Planned extends Authorized {
  readonly attempts: readonly Attempt[];
}

/** What `settle` has to end. */
export interface Held extends Authenticated {
  /** What it has taken from limits; `settle` gives back what it did not use. */
  readonly hold: Hold;
  /** Where it may have gone. */
  readonly attempts: readonly Attempt[];
  /** The gate's cap on each answer, `null` where nothing limits it. */
  readonly outputCap: number | null;
}

export type Admitted = Planned & Held;

export interface Attempted extends Admitted {
  /** The attempt that succeeded. */
  readonly attempt: Attempt;
  readonly upstream: UpstreamResponse;
}

/** One whose answer is a completion. */
export type AttemptedCompletion = Attempted & { readonly completion: CompletionRequest };
