import { type DeviationPolicy, defaultDeviationPolicy } from '@sluice/contract';
import { type JudgedTask, judgePrompt, readJudgedTask } from '#domain/deviation/judge-prompt.ts';
import { bindPolicy } from '#domain/deviation/policy.ts';
import { findLevel, isRefused } from '#domain/deviation/score.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { type Classification, classify as readIntent } from '#intent/classify.ts';
import { findOffTopic } from '#intent/find-off-topic.ts';
import { digestText, KnownTexts } from '#intent/known-texts.ts';
import type { IntentModel } from '#intent/model.ts';
import { proceed } from '#platform/proceed.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { Scoreboard } from '../deviation/scoreboard.ts';
import { type Authorized, addResult, type Classified, type Judgment } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TaskEntry } from '../snapshot/tables/tasks.ts';

export interface ClassifyDeps {
  readonly intentModel: IntentModel;
  readonly scoreboard: Pick<Scoreboard, 'preview'>;
  readonly snapshot: Snapshot;
}

/**
 * Stage 7: classifies the intent of the request and its effect on the user's deviation score on this node. Embeddings
 * have no intent. Tool results continue an earlier prompt that was already judged.
 */
export function classify(exchange: Authorized, deps: ClassifyDeps): Classified | Promise<Classified> {
  const { completion, work } = exchange;
  if (completion.operation === 'embeddings') return addResult(exchange, 'classify', { judgment: null });
  return proceed(work.run(readRequest(completion, deps.intentModel)), (read) => {
    const judgment = judge(exchange, read);
    const classified = addResult(exchange, 'classify', { judgment });
    if (judgment) applyPolicy(classified, judgment, deps);
    return classified;
  });
}

function judge({ completion, head, task }: Authorized, read: ReadRequest | null): Judgment | null {
  const { isFollowUp } = completion;
  // A follow-up was judged together with the prompt that caused its tool calls.
  if (read === null) return isFollowUp ? null : silence;
  const { classification, digest = digestText(read.text), text } = read;
  head.set('x-sluice-intent', classification.intent);
  return {
    intent: classification.intent,
    confidence: classification.confidence,
    signals: judgePrompt(text, classification, task && judgeTask(task.task)),
    asked: { kind: isFollowUp ? 'follow-up' : 'ask', hash: digest.slice(0, hashLength) },
  };
}

const hashLength = 22;

interface ReadRequest {
  readonly text: string;
  readonly classification: Classification;
  readonly digest?: string;
}

/** Estimated time for one pass over a text at memory speed, such as a digest. */
const microsPerLetter = 0.001;

const knownPrompts = new KnownTexts<Classification>();

function* readRequest(
  { judged, listNewTexts }: CompletionRequest,
  intentModel: IntentModel,
): Generator<number, ReadRequest | null, void> {
  yield (judged?.length ?? 0) * microsPerLetter;
  const digest = judged === null ? undefined : digestText(judged);
  yield (judged?.length ?? 0) * microsPerLetter;
  const others = listNewTexts().filter(({ isData, text }) => isData || text !== judged);
  const texts = judged === null ? others : [{ text: judged, isData: false, digest }, ...others];
  const offTopic = yield* findOffTopic(texts, intentModel);
  const whole = judged !== null && digest ? readPrompt(judged, digest, intentModel) : null;
  if (offTopic === null) return whole;
  const isWorse =
    whole?.classification.intent !== 'off_topic' ||
    offTopic.classification.confidence > whole.classification.confidence;
  return isWorse ? offTopic : whole;
}

function readPrompt(text: string, digest: string, model: IntentModel): ReadRequest {
  const known = knownPrompts.get(digest, model);
  const classification = known ?? knownPrompts.keep(digest, model, readIntent(text, model));
  return { text, classification, digest };
}

const silence: Judgment = { intent: null, confidence: null, signals: {}, asked: { kind: 'silent' } };

const judgedTasks = new WeakMap<TaskEntry, JudgedTask>();

/** Cached by entry, which each change of the task replaces. */
function judgeTask(task: TaskEntry): JudgedTask {
  return judgedTasks.getOrInsertComputed(task, readJudgedTask);
}

/** Rejects this request if the tenant's policy requires it. Only the score in the database blocks a user. */
function applyPolicy(
  { head, id, principal, receivedAtMs: atMs }: Authorized,
  judgment: Judgment,
  { scoreboard, snapshot }: ClassifyDeps,
): void {
  if (snapshot.users.get(principal.userId)?.scoresDeviation === false) return;
  const { deviationPolicy = defaultDeviationPolicy } = snapshot.tenants.get(principal.tenantId) ?? {};
  const policy = bindPolicy(deviationPolicy, principal.role);
  const { asked, signals: values } = judgment;
  const event = { id, atMs, values, repeats: 1, isRefused: false, asked };
  const change = scoreboard.preview(principal.userId, event, policy);
  if (!change) return;
  const { after } = change;
  head.set('x-sluice-score', after.toFixed(3));
  if (policy.mode === 'monitor') return;
  if (isRefused(change, policy)) throw policyBlockedError(judgment, after, policy);
  if (findLevel(after, policy.thresholds) !== 'normal') head.addWarnings([elevatedWarning]);
}

const elevatedWarning = 'Your deviation score is elevated. Please review your usage patterns.';

function policyBlockedError(
  { confidence, intent }: Judgment,
  score: number,
  { thresholds }: DeviationPolicy,
): GatewayError {
  const reading =
    intent === null
      ? 'This request contains no text, so it is scored like the previous one,'
      : `This prompt was classified as ${intent} (${Math.round((confidence ?? 0) * 100)}%)`;
  return new GatewayError(
    'policy_blocked',
    `${reading} and would raise your deviation score to ${score.toFixed(2)}; requests that reach ${thresholds.block.toFixed(2)} are refused. Requests that match your task lower the score.`,
  );
}
