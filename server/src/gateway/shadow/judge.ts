import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { DeviationPolicy } from '@sluice/contract';
import { digestKey, isForeignApiKey } from '#domain/api-key.ts';
import { countRequest } from '#domain/deviation/count-request.ts';
import { type DeviationEvent, type DeviationState, foldEvents, startState } from '#domain/deviation/fold.ts';
import { bindPolicy } from '#domain/deviation/policy.ts';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { IntentModel } from '#intent/model.ts';
import { MemoryBudget } from '#platform/memory-budget.ts';
import { PacedWork, Turns } from '#platform/paced-work.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import { bookTimes, LeaseBook, type NodeIdentity } from '../allowance/lease-book.ts';
import { AnswerHead } from '../answer-head.ts';
import { type Admitted, addResult, type Ended, type Entered, type Received, succeeded } from '../exchange.ts';
import { admit } from '../pipeline/admit.ts';
import { authenticate } from '../pipeline/authenticate.ts';
import { authorize } from '../pipeline/authorize.ts';
import { bindTask } from '../pipeline/bind-task.ts';
import { classify } from '../pipeline/classify.ts';
import { parse } from '../pipeline/parse.ts';
import { plan } from '../pipeline/plan.ts';
import { receive } from '../pipeline/receive.ts';
import { settle } from '../pipeline/settle.ts';
import { BodyHold } from '../request-body/body-hold.ts';
import { readBody } from '../request-body/read-body.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { toGatewayError } from '../response/answer-error.ts';
import { matchRoute } from '../routes.ts';
import type { Principals } from '../snapshot/principals.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TokenCounter } from '../token-count/token-counter.ts';
import type { MemoryAllowances } from './memory-allowances.ts';

export interface ShadowedRequest {
  /** Wall-clock milliseconds. */
  readonly receivedAtMs: number;
  readonly path: string;
  /** Includes the credential, unless `keyDigest` is set. */
  readonly headers: IncomingHttpHeaders;
  /** Hexadecimal SHA-256 of the API key, if the key itself is unknown. */
  readonly keyDigest: string | null;
  /** IP address of the client; empty if unknown. */
  readonly address: string;
  readonly body: Buffer;
  /** Whether the body contains the prompt. If it contains only the model, no prompt is judged. */
  readonly hasPrompt: boolean;
  /** Usage reported by the other gateway; `null` if unknown, in which case the estimated input counts. */
  readonly usage: Usage | null;
}

export type Verdict = RequestRecord & { readonly scoreAfter: number | null };

export interface JudgeParts {
  readonly tenantId: number;
  readonly snapshot: Snapshot;
  readonly principals: Pick<Principals, 'ofApiKey' | 'ofForeignDigest'>;
  readonly allowances: MemoryAllowances;
  readonly intentModel: IntentModel;
  readonly tokenCounter: TokenCounter;
  readonly bodyLimitBytes: number;
  readonly sandboxOrigin: string | null;
  /** Whether users start with their current scores; otherwise, all scores start at 0. */
  readonly continuesScores: boolean;
  /** Set to the time of each request before the request is judged. */
  readonly clock: { nowMs: number };
}

const judgedOperations: ReadonlySet<string> = new Set([
  'chat.completions',
  'responses.compact',
  'embeddings',
]);

/**
 * Creates a function that runs a request through the gateway's own stages up to admission, then simulates a response.
 * Limits and scores are in memory. Calls must not overlap. Returns `null` for endpoints other than completions and
 * embeddings.
 */
export function createJudge(parts: JudgeParts): (request: ShadowedRequest) => Promise<Verdict | null> {
  const judging = new Judge(parts);
  return (request) => judging.judge(request);
}

class Judge {
  readonly #parts: JudgeParts;
  readonly #node: NodeIdentity;
  readonly #leases: LeaseBook;
  readonly #turns = new Turns();
  readonly #bodyBudget: MemoryBudget;
  readonly #scores = new Map<number, DeviationState>();
  readonly #blocked = new Set<number>();
  #judged = 0;

  constructor(parts: JudgeParts) {
    const { allowances, bodyLimitBytes, clock } = parts;
    this.#parts = parts;
    this.#node = { id: 'shadow', nowMs: () => clock.nowMs, isLive: () => true };
    // Cached rejections expire by this machine's clock, not by the requests' times, so caching is disabled.
    this.#leases = new LeaseBook(allowances, this.#node, { ...bookTimes, refusalMs: 0 });
    this.#bodyBudget = new MemoryBudget(4 * bodyLimitBytes, 1);
  }

  async judge(shadowed: ShadowedRequest): Promise<Verdict | null> {
    const match = matchRoute('POST', shadowed.path, shadowed.headers, true);
    if (match.kind !== 'route' || !judgedOperations.has(match.route.operation)) return null;
    this.#parts.clock.nowMs = shadowed.receivedAtMs;
    const { request, response } = toMessages(shadowed);
    const received = receive(request, response, new AnswerHead(response), match);
    const exchange = { ...received, receivedAtMs: shadowed.receivedAtMs };
    let failure: GatewayError | null = null;
    try {
      await this.#run(exchange, shadowed);
    } catch (error) {
      failure = toGatewayError(error);
    }
    exchange.bodyHold?.release();
    const record = this.#end(exchange, failure);
    await this.#leases.whenQuiet();
    if (++this.#judged % 1_000 === 0) this.#leases.sweep();
    return { ...record, scoreAfter: this.#score(record) };
  }

  async #run(exchange: Received, shadowed: ShadowedRequest): Promise<void> {
    const { bodyLimitBytes, intentModel, sandboxOrigin, snapshot, tokenCounter } = this.#parts;
    const entered = await this.#enter(exchange, shadowed);
    const body = await readBody(entered.request, bodyLimitBytes, entered.bodyHold);
    const bound = bindTask(await parse(entered, body), snapshot);
    const authorized = authorize(bound, snapshot);
    const scoreboard = { preview: this.#preview.bind(this) };
    const classified = shadowed.hasPrompt
      ? await classify(authorized, { intentModel, snapshot, scoreboard })
      : addResult(authorized, 'classify', { judgment: null });
    const planDeps = { sandboxOrigin, snapshot, refusals: noRefusals };
    const planned = await plan(classified, planDeps);
    const limits = { leases: this.#leases, node: this.#node, tokenCounter };
    simulateAnswer(await admit(planned, { ...planDeps, ...limits, journal: noJournal }), shadowed.usage);
  }

  async #enter(exchange: Received, { address, keyDigest }: ShadowedRequest): Promise<Entered> {
    const { principals, tenantId } = this.#parts;
    const find = (apiKey: string, connection: object) => {
      if (keyDigest !== null) return principals.ofForeignDigest(keyDigest);
      // Skips the limit on unknown keys per network, since all replayed requests share one network.
      if (isForeignApiKey(apiKey)) return principals.ofForeignDigest(digestKey(apiKey));
      return principals.ofApiKey(apiKey, connection, address);
    };
    const ofApiKey = async (apiKey: string, connection: object) => {
      const found = await find(apiKey, connection);
      if (found?.tenantId !== tenantId) return null;
      return this.#blocked.has(found.userId) ? { ...found, blockedReason: blockedByScore } : found;
    };
    const authenticated = await authenticate(exchange, {
      principals: { ofApiKey, ofSession: async () => null },
      isFresh: () => true,
      findAddress: () => address,
    });
    const { userId } = authenticated.principal;
    return addResult(authenticated, 'enter', {
      bodyHold: new BodyHold(this.#bodyBudget, userId),
      work: new PacedWork(this.#turns, `user ${userId}`),
    });
  }

  #end(exchange: Ended, failure: GatewayError | null): RequestRecord {
    const ended: RequestRecord[] = [];
    settle(exchange, failure, {
      snapshot: this.#parts.snapshot,
      leases: this.#leases,
      journal: noJournal,
      observer: { onReceived: () => undefined, onEnded: (record) => void ended.push(record) },
    });
    const [record] = ended;
    if (!record) throw new Error('settle did not report the end of a request');
    this.#parts.allowances.settle(record.hold?.parts ?? []);
    return record;
  }

  #preview(userId: number, event: DeviationEvent, { weights }: DeviationPolicy) {
    return foldEvents(this.#scoreOf(userId), [event], weights).folded[0]?.change ?? null;
  }

  #scoreOf(userId: number): DeviationState {
    const known = this.#parts.continuesScores ? this.#parts.snapshot.users.get(userId)?.deviation : undefined;
    return this.#scores.getOrInsertComputed(userId, () => known ?? startState);
  }

  /** Returns `null` if the score is unchanged. */
  #score(record: RequestRecord): number | null {
    const { tenants, users } = this.#parts.snapshot;
    const event = countRequest(record);
    const user = record.userId === null ? undefined : users.get(record.userId);
    const policy = user && tenants.get(user.tenantId)?.deviationPolicy;
    if (!event || !policy || user.scoresDeviation === false) return null;
    const { state, folded } = foldEvents(this.#scoreOf(user.id), [event], policy.weights);
    this.#scores.set(user.id, state);
    const change = folded[0]?.change;
    if (!change) return null;
    const isReached = change.after >= policy.thresholds.block && change.after > change.before;
    if (isReached && bindPolicy(policy, user.role).mode === 'block') this.#blocked.add(user.id);
    return change.after;
  }
}

const blockedByScore = 'the deviation score reached the threshold';
const noRefusals = { recall: () => [], remember: () => undefined };
const noJournal: RequestJournal = {
  admit: async () => undefined,
  settle: () => undefined,
  close: async () => undefined,
};

/** Behaves as if the first planned provider had responded. */
function simulateAnswer(admitted: Admitted, usage: Usage | null): void {
  const calls = { target: admitted.firstTarget, count: 1, isSent: true, workingSinceMs: null, made: [] };
  const answer = {
    firstByteMs: null,
    usage,
    usageSource: usage === null ? ('none' as const) : ('provider' as const),
    text: null,
    written: null,
    imageCount: 0,
    bytes: 0,
    ending: succeeded,
  };
  addResult(addResult(admitted, 'attempt', { calls }), 'relay', { answer });
}

function toMessages({ body, headers, keyDigest, path }: ShadowedRequest) {
  const credential = keyDigest === null ? {} : { authorization: 'Bearer known-by-its-digest' };
  const own = { ...headers, ...credential, 'content-length': String(body.length) };
  const request = Object.assign(Readable.from([body]), {
    method: 'POST',
    url: path,
    headers: own,
    rawHeaders: Object.entries(own).flatMap(([name, value]) =>
      [value ?? []].flat().flatMap((one) => [name, one]),
    ),
    socket: {},
  });
  const response = { on: () => undefined, writableFinished: false, headersSent: false, statusCode: 0 };
  // Safe because the stages up to admission read nothing else.
  return { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse };
}
