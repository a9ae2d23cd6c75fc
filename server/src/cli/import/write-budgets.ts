import { createBudgetBody } from '@sluice/contract';
import { createBudget } from '#console/budgets/change.ts';
import { toAmount, toSubjectColumns } from '#console/budgets/terms.ts';
import type { budgets } from '#db/schema/budgets.ts';
import { parseBody } from '../command.ts';
import { findRunningWindow } from './budget-window.ts';
import type { FoundBudget } from './inventory.ts';
import { openBudget, selectBudgetRows } from './store.ts';
import type { Instances } from './write-instances.ts';
import type { Owners } from './write-owners.ts';
import type { Writing } from './writing.ts';

interface Subjects {
  readonly instances: Instances;
  readonly owners: Owners;
  readonly keys: ReadonlyMap<string, number>;
}

export async function writeBudgets(writing: Writing, subjects: Subjects): Promise<void> {
  const { author, counts, inventory, tx } = writing;
  const rows = await selectBudgetRows(tx, author.tenantId);
  const present = new Set(rows.filter(({ isDefault }) => !isDefault).map(placeOf));
  const find = createSubjectFinder(writing, subjects);
  for (const budget of inventory.budgets) {
    const subject = find(budget);
    if (!subject) continue;
    const { startsAt, windowStart, isRunning } = findRunningWindow(
      budget.window,
      budget.resetsAt ?? null,
      writing,
    );
    const { action, measure, thresholds, window } = budget;
    const body = parseBody(createBudgetBody, {
      ...subject,
      model_pattern: budget.modelPattern ?? null,
      ...{ measure, window, action, limit: budget.limit },
      starts_at: startsAt?.toISOString() ?? null,
      ...(thresholds && { thresholds }),
    });
    const place = placeOf({
      ...toSubjectColumns(body),
      measure,
      period: window,
      modelPattern: body.model_pattern || null,
      action,
    });
    if (present.has(place)) {
      counts.budgets.existing++;
      continue;
    }
    const { id } = await createBudget(tx, author, body);
    const amount = isRunning ? Math.round(toAmount(measure, round(budget.spent ?? 0))) : 0;
    if (amount > 0) await openBudget(tx, { budgetId: id, windowStart, amount });
    present.add(place);
    counts.budgets.created++;
  }
}

/** Rounds floating-point sums of the source, which have more decimals than amounts in Sluice. */
const round = (amount: number) => Number(amount.toFixed(9));

type Place = Pick<
  typeof budgets.$inferSelect,
  | 'teamId'
  | 'userId'
  | 'apiKeyId'
  | 'taskId'
  | 'llmProviderId'
  | 'measure'
  | 'period'
  | 'modelPattern'
  | 'action'
>;

/**
 * Returns a key for the usage that a budget counts. A budget that only warns does not replace a budget that rejects.
 */
function placeOf(row: Place): string {
  const { apiKeyId, llmProviderId, taskId, teamId, userId } = row;
  const rejects = row.action !== 'warn';
  return JSON.stringify([
    ...[teamId, userId, apiKeyId, taskId, llmProviderId],
    ...[row.measure, row.period, row.modelPattern, rejects],
  ]);
}

/**
 * Returns a function that finds the subject of a budget in Sluice. The function returns `null` if the subject was not
 * imported.
 */
function createSubjectFinder({ inventory }: Writing, { instances, keys, owners }: Subjects) {
  const accounts = new Set(inventory.accounts.map(({ ref }) => ref));
  const byName = new Map([...instances].map(([{ name }, { id }]) => [name, id]));
  return ({ ref, subject, teamRef }: FoundBudget) => {
    const ids = { team: owners.teams, owner: owners.users, api_key: keys, provider: byName }[subject];
    const subject_id = ids.get(ref);
    if (subject_id === undefined) return null;
    const ofOwner = accounts.has(ref) ? ('service_account' as const) : ('user' as const);
    const team_id = teamRef === undefined ? null : (owners.teams.get(teamRef) ?? null);
    return { subject_type: subject === 'owner' ? ofOwner : subject, subject_id, team_id };
  };
}
