import { budgetActions, budgetMeasures, budgetPeriods } from '@sluice/contract';
import { z } from 'zod';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Period } from '#domain/allowance/period.ts';
import { type AllowanceKind, budgetKinds } from '#domain/allowance/window.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const { select: selectBudgets, parse: parseBudgets } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    teamId: column('t.team_id', z.number().nullable()),
    userId: column('t.user_id', z.number().nullable()),
    apiKeyId: column('t.api_key_id', z.number().nullable()),
    taskId: column('t.task_id', z.number().nullable()),
    instanceId: column('t.llm_provider_id', z.number().nullable()),
    models: column('t.model_pattern', z.string().nullable()),
    measure: column('t.measure', z.enum(budgetMeasures)),
    unit: column('t.period', z.enum(budgetPeriods)),
    startsAtMs: column(`floor(${toMs('t.starts_at')})`, z.number().nullable()),
    action: column('t.action', z.enum(budgetActions)),
    routeTo: column('t.route_to', z.string().nullable()),
  },
  'budgets t WHERE NOT t.is_retired',
);

type BudgetRow = ReturnType<typeof parseBudgets>;

/** The limit and usage are stored in an allowance. */
export interface BudgetEntry extends Omit<BudgetRow, 'unit' | 'startsAtMs'> {
  readonly kind: AllowanceKind;
  readonly period: Period;
  /** Returns whether the budget counts a model, given its lower-case name. */
  readonly fits: (lowerCaseName: string) => boolean;
}

const fitsAll = () => true;
/** An invalid pattern matches every model, so that limits fail closed. */
function readPattern(pattern: string | null): BudgetEntry['fits'] {
  if (pattern === null) return fitsAll;
  const parsed = parseBlacklistPattern(pattern);
  return parsed.ok ? parsed.pattern.fits : fitsAll;
}

/** The narrowest object that a budget refers to. Requests look up budgets by this object. */
export type BudgetOwner = 'tenant' | 'team' | 'user' | 'key' | 'task' | 'instance';

const owners: readonly BudgetOwner[] = ['tenant', 'team', 'user', 'key', 'task', 'instance'];

/** Returns a number, which is cheaper than a text, since each request builds several keys. */
export function budgetKey(owner: BudgetOwner, id: number): number {
  return id * owners.length + owners.indexOf(owner);
}

function keyOf({ apiKeyId, instanceId, taskId, teamId, tenantId, userId }: BudgetEntry): number {
  if (apiKeyId !== null) return budgetKey('key', apiKeyId);
  if (userId !== null) return budgetKey('user', userId);
  if (taskId !== null) return budgetKey('task', taskId);
  if (teamId !== null) return budgetKey('team', teamId);
  if (instanceId !== null) return budgetKey('instance', instanceId);
  return budgetKey('tenant', tenantId);
}

export const budgets: MirroredTable<BudgetEntry, IndexedCollection<number, BudgetEntry>> = {
  name: 'budgets',
  id: integerId,
  select: selectBudgets,
  toEntry(row) {
    const { unit, startsAtMs, ...budget } = parseBudgets(row);
    return {
      ...budget,
      kind: budgetKinds[budget.measure],
      period: { unit, startsAtMs },
      fits: readPattern(budget.models),
    };
  },
  createRows: () => createIndexedCollection(keyOf),
};
