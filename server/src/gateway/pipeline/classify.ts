import { type DeviationPolicy, defaultDeviationPolicy } from '@sluice/contract';
import { countRequest } from '#domain/deviation/count-request.ts';
import { type JudgedTask, judgePrompt, readJudgedTask } from '#domain/deviation/judge-prompt.ts';
import { findLevel, isRefused } from '#domain/deviation/score.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { classify as readIntent } from '#intent/classify.ts';
import type { IntentModel } from '#intent/model.ts';
import type { Scoreboard } from '../deviation/scoreboard.ts';
import type { TaskEntry } from '../snapshot/entries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { addWarnings } from '../warnings.ts';
import type { Authorized } from './authorize.ts';

export interface ClassifyDeps {
  readonly intentModel: IntentModel;
  readonly scoreboard: Scoreboard;
  readonly snapshot: Snapshot;
}

/**
 * Stage 7: what the last human turn asks for, and how that moves the person's deviation score as far as this node
 * knows it. What holds no such turn, as texts to be embedded, stays unclassified; tools' results are nobody's asking.
 */
export function classify(exchange: Authorized, deps: ClassifyDeps): void {
  const { completion, record, response, task } = exchange;
  if (!completion.prompt?.trim()) return;
  const classification = readIntent(completion.prompt, deps.intentModel);
  record.intent = classification.intent;
  record.confidence = classification.confidence;
  response.setHeader('x-sluice-intent', classification.intent);
  if (completion.isToolTurn) return;
  record.signals = judgePrompt(completion.prompt, classification, task && judgeTask(task.task));
  applyPolicy(exchange, deps);
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
  const policy = snapshot.tenants.get(principal.tenantId)?.deviationPolicy ?? defaultDeviationPolicy;
  const event = countRequest(record);
  if (!event) return;
  const change = scoreboard.preview(principal.userId, event, policy);
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
  const reading = `${intent} (${Math.round((confidence ?? 0) * 100)} %)`;
  return new GatewayError(
    'policy_blocked',
    `This prompt reads as ${reading} and would take your deviation score to ${score.toFixed(2)}; what takes it to ${thresholds.block.toFixed(2)} is refused. Work on your task lowers it.`,
  );
}
