import type { GovernancePreview, previewBody } from '@sluice/contract';
import type { z } from 'zod';
import { selectActiveTasks } from '#console/tasks/active-tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { chooseTask } from '#domain/choose-task.ts';
import { foldEvent } from '#domain/deviation/fold.ts';
import { judgePrompt, readJudgedTask } from '#domain/deviation/judge-prompt.ts';
import { bindPolicy, readPolicy } from '#domain/deviation/policy.ts';
import { findLevel, isRefused, listReceipts } from '#domain/deviation/score.ts';
import { type SignalValues, sumDeviation, weighSignals } from '#domain/deviation/signals.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { IntentModel } from '#intent/model.ts';
import { readIntent } from './judged-log.ts';
import { findStanding, findTask, selectPolicy } from './store.ts';

type Body = z.output<typeof previewBody>;
type Standing = NonNullable<Awaited<ReturnType<typeof findStanding>>>;

/** Stores nothing and uses no quota. */
export async function previewGovernance(
  intentModel: IntentModel,
  tx: TenantTransaction,
  author: Principal,
  body: Body,
): Promise<GovernancePreview> {
  const reading = readIntent(body.text, intentModel);
  const policy = readPolicy(await selectPolicy(tx, author.tenantId));
  const task = await chooseJudgedTask(tx, body);
  const values = judgePrompt(body.text, reading, task && readJudgedTask(task));
  const signals = weighSignals(values, policy.weights);
  const state = body.user_id === undefined ? undefined : await requireStanding(tx, body.user_id);
  return {
    ...reading,
    task: task && { id: task.id, title: task.title, category: task.category },
    deviation: { value: sumDeviation(signals), signals: [...signals] },
    score: state ? previewScore(state, values, policy) : null,
  };
}

async function chooseJudgedTask(tx: TenantTransaction, { task, task_id, user_id }: Body) {
  if (task) return { id: null, isApiAccess: false, ...task };
  if (task_id !== undefined) {
    const named = await findTask(tx, task_id);
    if (!named) throw notFound('Task');
    return named;
  }
  if (user_id === undefined) return null;
  const chosen = chooseTask(await selectActiveTasks(tx, user_id), null, true);
  return chosen.kind === 'task' ? chosen.task : null;
}

async function requireStanding(tx: TenantTransaction, userId: number): Promise<Standing> {
  const state = await findStanding(tx, userId);
  if (!state) throw notFound('User');
  return state;
}

function previewScore(
  state: Standing,
  values: SignalValues,
  policy: ReturnType<typeof readPolicy>,
): GovernancePreview['score'] {
  const event = { id: '', atMs: Date.now(), values, repeats: 1, isRefused: false };
  const { change } = foldEvent(state, event, policy.weights);
  return {
    before: change.before,
    after: change.after,
    level: findLevel(change.after, policy.thresholds),
    receipts: listReceipts(change),
    is_refused: isRefused(change, bindPolicy(policy, state.role)),
  };
}
