import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunInTenant } from '#db/tenant.ts';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { Logger } from '#platform/logger.ts';
import type { RefusalPace } from '#platform/refusal-pace.ts';
import type { AnswerHead } from '../answer-head.ts';
import type { Ended, Entered } from '../exchange.ts';
import { countUnreported } from '../metering/count-unreported.ts';
import type { RefusalMemory } from '../provider-call/refusal-memory.ts';
import { readBody } from '../request-body/read-body.ts';
import { answerError, toErrorFacts, toGatewayError } from '../response/answer-error.ts';
import { createAnswerContext, type StreamKeepAlive } from '../response/stream-writer.ts';
import type { RouteMatch } from '../routes.ts';
import { findCutOffError, type RunningRequest, type RunningRequests } from '../running-requests.ts';
import { type AdmitDeps, admit } from './admit.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { type AuthenticateDeps, authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { bindTask } from './bind-task.ts';
import { type ClassifyDeps, classify } from './classify.ts';
import { type EnterDeps, enter, leave } from './enter.ts';
import { parse } from './parse.ts';
import { plan } from './plan.ts';
import { receive } from './receive.ts';
import { type RelayDeps, relay } from './relay.ts';
import { type RequestObserver, settle } from './settle.ts';

export interface PipelineDeps extends AuthenticateDeps, EnterDeps, ClassifyDeps, AdmitDeps, AttemptDeps {
  readonly running: RunningRequests;
  readonly responseBudget: RelayDeps['responseBudget'];
  readonly keepAlive: StreamKeepAlive;
  readonly observer: RequestObserver;
  readonly runInTenant: RunInTenant;
  readonly sandboxOrigin: string | null;
  readonly refusals: RefusalMemory;
  readonly bodyLimitBytes: number;
  readonly refusalPace: RefusalPace;
  readonly log: Logger;
}

export interface Operation {
  readonly isLogged: boolean;
  run(entered: Entered, deps: PipelineDeps): unknown;
}

/** Runs the stages in the order given in docs/LIFECYCLE.md. Never rejects. */
export async function runPipeline(
  deps: PipelineDeps,
  request: IncomingMessage,
  response: ServerResponse,
  head: AnswerHead,
  match: Extract<RouteMatch, { kind: 'route' }>,
  operation: Operation,
): Promise<void> {
  const exchange = receive(request, response, head, match);
  if (operation.isLogged) deps.observer.onReceived();
  let failure: GatewayError | null = null;
  let running: RunningRequest | null = null;
  try {
    const authenticating = authenticate(exchange, deps);
    const authenticated = authenticating instanceof Promise ? await authenticating : authenticating;
    running = deps.running.enter(authenticated.principal, exchange.abort);
    await operation.run(enter(authenticated, deps), deps);
  } catch (error) {
    // The HTTP parser may reject the message and send its own response first.
    await null;
    failure = findCutOffError(exchange.abort) ?? toGatewayError(error);
  } finally {
    if (exchange.abort.hasLeft || exchange.answer?.written) await addCounts(exchange, deps);
    if (running) deps.running.leave(running);
    leave(exchange, deps);
    end(exchange, failure, operation, deps);
  }
}

/** Never throws, since nothing handles a rejection of `runPipeline`. */
function end(
  exchange: Ended,
  failure: GatewayError | null,
  { isLogged }: Operation,
  deps: PipelineDeps,
): void {
  try {
    if (isLogged) settle(exchange, failure, deps);
    deps.abandoned.end(exchange.abort);
    if (failure) refuse(exchange, failure, deps);
  } catch (error) {
    deps.log.error(
      { requestId: exchange.id, error },
      'a request could not be ended, so its connection is closed',
    );
    exchange.response.destroy();
  }
}

/**
 * Runs every stage between entering and settling. Stages that rarely wait return a promise only when they must wait,
 * since each `await` costs time and memory.
 */
export async function answer(entered: Entered, deps: PipelineDeps): Promise<void> {
  const { bodyHold, request, work } = entered;
  const body = await readBody(request, deps.bodyLimitBytes, bodyHold);
  const parsing = parse(entered, body);
  const parsed = parsing instanceof Promise ? await parsing : parsing;
  // The request may have been cut off while its body was read.
  const cutOff = findCutOffError(parsed.abort);
  if (cutOff) throw cutOff;
  const bound = bindTask(parsed, deps.snapshot);
  const authorized = authorize(bound, deps.snapshot);
  const classifying = classify(authorized, deps);
  const classified = classifying instanceof Promise ? await classifying : classifying;
  if (work.isHeavy) await work.pause();
  const planning = plan(classified, deps);
  const planned = planning instanceof Promise ? await planning : planning;
  if (work.isHeavy) await work.pause();
  const admitted = await admit(planned, deps);
  if (work.isHeavy) await work.pause();
  if (admitted.completion.isStream) deps.keepAlive.watch(admitted);
  const attempted = await attempt(admitted, deps);
  const relaying = relay(attempted, deps);
  if (relaying) await relaying;
}

/** Called after the caller has disconnected or received the stream, so that the caller never waits for the counts. */
async function addCounts(exchange: Ended, { log, tokenCounter }: PipelineDeps): Promise<void> {
  try {
    const counted = await countUnreported(exchange, tokenCounter);
    if (counted) Object.assign(exchange, { counted });
  } catch (error) {
    log.error({ requestId: exchange.id, error }, 'tokens could not be counted, so estimates are charged');
  }
}

function refuse(
  exchange: Ended,
  failure: GatewayError,
  { findAddress, log, refusalPace }: PipelineDeps,
): void {
  const { answer, calls, id, principal, request, response, route } = exchange;
  const send = () => answerError(exchange, route.protocol, failure, id);
  if (failure.code === 'internal_error')
    log.error({ requestId: id, error: failure.cause }, 'a request failed inside the gateway');
  if (!response.headersSent) {
    // Only failures before a provider call are delayed by the refusal pace.
    if (calls) send();
    else refusalPace.run(principal ? `user ${principal.userId}` : `address ${findAddress(request)}`, send);
  }
  // Only keep-alive comments have been sent so far.
  else if ((answer?.firstByteMs ?? null) === null)
    response.end(
      route.protocol.caller.encodeStreamError(toErrorFacts(failure), createAnswerContext(exchange)),
    );
  else response.destroy();
}
