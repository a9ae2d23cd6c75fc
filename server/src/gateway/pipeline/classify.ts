import { createHash } from 'node:crypto';
import { type DeviationPolicy, defaultDeviationPolicy } from '@sluice/contract';
import { bindPolicy } from '#domain/deviation/bind-policy.ts';
import { countRequest } from '#domain/deviation/count-request.ts';
import { type JudgedTask, judgePrompt, readJudgedTask } from '#domain/deviation/judge-prompt.ts';
import { findLevel, isRefused } from '#domain/deviation/score.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { classify as readIntent } from '#intent/classify.ts';
import type { IntentModel } from '#intent/model.ts';
import type { Scoreboard } from '../deviation/scoreboard.ts';
import type { Authorized } from '../exchange.ts';
import { addWarnings } from '../response/warnings.ts';
import type { TaskEntry } from '../snapshot/entries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export interface ClassifyDeps {
  readonly intentModel: IntentModel;
  readonly scoreboard: Scoreboard;
  readonly snapshot: Snapshot;
}

/**
 * Stage 7: what the request asks for, and how that moves the person's deviation score as far as this node knows it.
 * Texts to be embedded ask nothing; results of tools go on with what was asked and judged before.
 */
export function classify(exchange: Authorized, deps: ClassifyDeps): void {
  const { completion, record, response, task } = exchange;
  const { isFollowUp, judged, operation } = completion;
  if (operation === 'embeddings') return;
  if (judged === null) {
    // Its words are where the tools were called.
    if (isFollowUp) return;
    record.asked = { kind: 'silent' };
    record.signals = {};
    applyPolicy(exchange, deps);
    return;
  }
  const classification = readIntent(judged, deps.intentModel);
  record.intent = classification.intent;
  record.confidence = classification.confidence;
  response.setHeader('x-sluice-intent', classification.intent);
  record.asked = { kind: isFollowUp ? 'follow-up' : 'ask', hash: hashWords(judged) };
  record.signals = judgePrompt(judged, classification, task && judgeTask(task.task));
  applyPolicy(exchange, deps);
}

function hashWords(words: string): string {
  return createHash('sha256').update(words).digest('base64url').slice(0, 22);
}

const judgedTasks = new WeakMap<TaskEntry, JudgedTask>();

/** A task's words are read once for as long as it stays as it is. */
function judgeTask(task: TaskEntry): JudgedTask {
  return judgedTasks.getOrInsertComputed(task, readJudgedTask);
}

/** Refuses this one request where the tenant's policy says so; only the shipped score blocks a person. */
function applyPolicy(
  { principal, record, response }: Authorized,
  { scoreboard, snapshot }: ClassifyDeps,
): void {
  const { deviationPolicy = defaultDeviationPolicy } = snapshot.tenants.get(principal.tenantId) ?? {};
  const policy = bindPolicy(deviationPolicy, principal.role);
  const event = countRequest(record);
  if (!event) return;
  const change = scoreboard.preview(principal.userId, event, policy);
  if (!change) return;
  const { after } = change;
  response.setHeader('x-sluice-score', after.toFixed(3));
  if (policy.mode === 'monitor') return;
  if (isRefused(change, policy)) throw describeRefusal(record, after, policy);
  if (findLevel(after, policy.thresholds) !== 'normal') addWarnings(response, [elevatedWarning]);
}

const elevatedWarning = 'Your deviation score is elevated. Please review your usage patterns.';

function describeRefusal(
  { confidence, intent }: Authorized['record'],
  score: number,
  { thresholds }: DeviationPolicy,
): GatewayError {
  const reading =
    intent === null
      ? 'This request holds no words, so that it is judged as the one before it,'
      : `This prompt reads as ${intent} (${Math.round((confidence ?? 0) * 100)} %)`;
  return new GatewayError(
    'policy_blocked',
    `${reading} and would take your deviation score to ${score.toFixed(2)}; requests that reach ${thresholds.block.toFixed(2)} are refused. Work on your task lowers it.`,
  );
}
