import type { ServerResponse } from 'node:http';
import { sumTokens } from '#domain/allowance/settlement.ts';
import type { MemoryBudget } from '#platform/memory-budget.ts';
import { proceed } from '#platform/proceed.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import { restoreToolNames } from '#protocols/translation/tool-names.ts';
import { type Attempted, type AttemptedCompletion, addResult, type Charge } from '../exchange.ts';
import { chargeUsage } from '../metering/charge-usage.ts';
import type { AbandonedCalls } from '../provider-call/abandoned-calls.ts';
import { mayPassFailure } from '../provider-call/provider-failure.ts';
import type { ProviderTimeouts } from '../provider-call/provider-timeouts.ts';
import { sendJson } from '../response/answer-error.ts';
import { findRemainingTokens, setCostHeader } from '../response/headers.ts';
import { encodeMinimal } from '../response/minimal-completion.ts';
import { collectAnswer, readWholeAnswer } from '../response/read-whole-answer.ts';
import { relayEmbeddings } from '../response/relay-embeddings.ts';
import { relayStream } from '../response/relay-stream.ts';
import { ResponseHold } from '../response/response-hold.ts';
import { hasIgnoredStreaming, streamWholeAnswer } from '../response/stream-whole-answer.ts';
import { createAnswerContext } from '../response/stream-writer.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export interface RelayDeps {
  readonly timeouts: ProviderTimeouts;
  readonly snapshot: Snapshot;
  readonly abandoned: Pick<AbandonedCalls, 'limits'>;
  readonly responseBudget: MemoryBudget;
}

/**
 * Stage 11: sends the provider's response to the caller, whole or as a stream, in the caller's protocol. A caller
 * that reads nothing for `idleWriteMs` is cut off.
 */
export function relay(exchange: Attempted, deps: RelayDeps): void | Promise<void> {
  const { abort, completion, head, principal, response } = exchange;
  const { idleWriteMs } = deps.timeouts;
  const tenantMax = deps.snapshot.tenants.get(principal.tenantId)?.maxOutputTokens ?? null;
  head.addWarnings(exchange.attempt.warnings);
  head.addWarnings(warnOfCap(exchange, tenantMax));
  if (completion.isStream) cutIdleReader(response, idleWriteMs);
  const hold = new ResponseHold(deps.responseBudget, principal.tenantId, abort);
  let sending: Promise<unknown> | null = null;
  try {
    sending = send(exchange, deps, hold);
  } finally {
    if (!sending) hold.releaseWhenSent(response);
  }
  if (sending) return releaseLater(sending, hold, response, idleWriteMs);
  cutUnread(response, idleWriteMs);
}

async function releaseLater(
  sending: Promise<unknown>,
  hold: ResponseHold,
  response: ServerResponse,
  idleWriteMs: number,
): Promise<void> {
  try {
    await sending;
  } finally {
    hold.releaseWhenSent(response);
  }
  cutUnread(response, idleWriteMs);
}

/** Returns a promise unless the whole response was passed to the connection synchronously. */
function send(exchange: Attempted, { abandoned }: RelayDeps, hold: ResponseHold): Promise<unknown> | null {
  const { completion } = exchange;
  if (completion.operation === 'embeddings') return relayEmbeddings(exchange, completion, hold);
  if (!isCompletion(exchange)) return null;
  if (!completion.isStream) return relayWhole(exchange, hold);
  if (hasIgnoredStreaming(exchange)) return streamWholeAnswer(exchange, hold);
  return relayStream(exchange, abandoned, hold);
}

function isCompletion(exchange: Attempted): exchange is AttemptedCompletion {
  return exchange.completion.operation !== 'embeddings';
}

function warnOfCap(
  { attempt, completion, outputCap, taskLimit }: Attempted,
  tenantMax: number | null,
): string[] {
  const wanted = completion.output.tokensMax ?? attempt.defaultOutputTokensMax;
  if (outputCap === null || outputCap >= wanted) return [];
  const reasons: ReadonlyMap<number | null | undefined, string> = new Map([
    [tenantMax, "your organization's max_output_tokens"],
    [taskLimit?.answerTokensMax, "your task's max_tokens_per_request"],
  ]);
  const reason = reasons.get(outputCap) ?? 'your remaining limits';
  const of = completion.output.tokensMax === null ? '' : ` instead of ${wanted}`;
  return [`the response is limited to ${outputCap} tokens${of} by ${reason}`];
}

function cutUnread(response: ServerResponse, idleWriteMs: number): void {
  if (response.writableLength > 0) cutIdleReader(response, idleWriteMs);
}

// Uses the socket's own timer, which restarts with each byte that the caller reads.
function cutIdleReader(response: ServerResponse, idleWriteMs: number): void {
  response.setTimeout(idleWriteMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

function relayWhole(exchange: AttemptedCompletion, hold: ResponseHold): Promise<unknown> | null {
  return proceed(collectAnswer(exchange, hold), (body) => {
    sendWhole(exchange, body, hold);
    return null;
  });
}

function sendWhole(exchange: AttemptedCompletion, body: Buffer, hold: ResponseHold): void {
  const { abort, completion, route } = exchange;
  const { answer, decoded, ending, failure } = readWholeAnswer(exchange, body);
  const answered = addResult(exchange, 'relay', { answer });
  const charge = chargeUsage(answered, ending);
  addResult(answered, 'relay', { charge });
  if (abort.hasLeft) return;
  if (failure && !passesFailure(exchange, decoded, body)) throw failure;
  setCostHeader(charge, exchange);
  if (answer.imageCount > 0 && (completion.isMinimal || route.protocol.caller.lacksImages))
    exchange.head.addWarnings(['images of the response']);
  const bytes = encodeAnswer(exchange, decoded, charge) ?? body;
  hold.requireToSend(bytes.length);
  answer.bytes = bytes.length;
  sendJson(exchange, 200, bytes);
}

function passesFailure(
  { attempt, completion }: AttemptedCompletion,
  { failure }: CanonicalResponse,
  body: Buffer,
): boolean {
  if (!failure || !attempt.isPassThrough || completion.isMinimal) return false;
  return mayPassFailure(failure, body, attempt);
}

function encodeAnswer(
  exchange: AttemptedCompletion,
  answer: CanonicalResponse,
  { usage }: Charge,
): Buffer | null {
  const { attempt, completion, route, task } = exchange;
  if (completion.isMinimal)
    return toJson(
      encodeMinimal(
        answer,
        attempt.model,
        task?.task.id ?? null,
        findRemainingTokens(exchange.hold, usage ? sumTokens(usage) : 0),
      ),
    );
  if (attempt.isPassThrough) return null;
  const named = restoreToolNames(answer, attempt.callerTools);
  return toJson(route.protocol.caller.encodeResponse(named, createAnswerContext(exchange)));
}

function toJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
