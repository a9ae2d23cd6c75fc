import { type BudgetDefaultPreview, findLimitProblem, type previewBudgetDefaultBody } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import { requireTeam } from './change-default.ts';
import {
  changeDefault,
  type DefaultPlace,
  deleteDefault,
  insertDefault,
  lockDefaultOf,
  selectMemberIds,
  selectUserLimits,
} from './defaults-store.ts';
import { nameOrigin } from './read.ts';
import { showAmount, toAmount } from './terms.ts';

const usersMax = 200;

/** Applies the change and rolls it back to a savepoint. */
export async function previewBudgetDefault(
  tx: TenantTransaction,
  { tenantId }: Author,
  { limit, measure, team_id, window }: z.output<typeof previewBudgetDefaultBody>,
): Promise<BudgetDefaultPreview> {
  const place = { teamId: team_id ?? null, measure, period: window };
  const problem = limit === null ? null : findLimitProblem(measure, limit);
  if (problem) throw invalidField('limit', problem);
  await requireTeam(tx, tenantId, place.teamId);
  const before = await selectUserLimits(tx, tenantId, place);
  await tx.execute(sql`SAVEPOINT before_preview`);
  await applyLimit(tx, tenantId, place, limit === null ? null : toAmount(measure, limit));
  const after = await selectUserLimits(tx, tenantId, place);
  await tx.execute(sql`ROLLBACK TO SAVEPOINT before_preview`);
  const members = new Set(await selectMemberIds(tx, tenantId, place.teamId));
  const own = before.filter(({ isDefault, userId }) => !isDefault && members.has(userId));
  const changes = listChanges(before, after, (row) => ({
    limit: showAmount(measure, row.limitAmount),
    origin: nameOrigin(row.team),
  }));
  return {
    changed: changes.length,
    kept: new Set(own.map(({ userId }) => userId)).size,
    users: changes.slice(0, usersMax),
  };
}

async function applyLimit(
  tx: TenantTransaction,
  tenantId: number,
  place: DefaultPlace,
  limitAmount: number | null,
): Promise<void> {
  const current = await lockDefaultOf(tx, tenantId, place);
  if (limitAmount === null) {
    if (current) await deleteDefault(tx, tenantId, current.id);
  } else if (current) await changeDefault(tx, tenantId, current.id, { limitAmount });
  else {
    const terms = { limitAmount, thresholds: [], action: 'refuse' as const };
    await insertDefault(tx, { tenantId, ...place, ...terms });
  }
}

type LimitRow = Awaited<ReturnType<typeof selectUserLimits>>[number];
type Shown = BudgetDefaultPreview['users'][number]['before'];

function listChanges(
  before: readonly LimitRow[],
  after: readonly LimitRow[],
  show: (row: LimitRow) => NonNullable<Shown>,
): BudgetDefaultPreview['users'] {
  const ofDefaults = (rows: readonly LimitRow[]) =>
    new Map(rows.filter(({ isDefault }) => isDefault).map((row) => [row.userId, row]));
  const [former, later] = [ofDefaults(before), ofDefaults(after)];
  const concerned = new Map([...former, ...later]);
  return [...concerned.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.userId - other.userId)
    .flatMap(({ email, name, userId }) => {
      const [had, gets] = [former.get(userId), later.get(userId)];
      if (had?.limitAmount === gets?.limitAmount && had?.team === gets?.team) return [];
      return [
        {
          user_id: userId,
          user_name: name,
          user_email: email,
          before: had ? show(had) : null,
          after: gets ? show(gets) : null,
        },
      ];
    });
}
