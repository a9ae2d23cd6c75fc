import { createFindings, type Findings } from '../findings.ts';
import type { FoundBudget, FoundGrant, FoundKey, Inventory } from '../inventory.ts';
import { mapBudgets } from './map-budgets.ts';
import { createModelNames, type ModelNames, mapKey } from './map-keys.ts';
import { mapModels } from './map-models.ts';
import { type MappedOwners, mapOwners, teamRef, userRef } from './map-owners.ts';
import type { BudgetRow, KeyRow, LitellmSource } from './rows.ts';

export interface MapContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
}

export function mapSource(source: LitellmSource, { env, nowMs }: MapContext): Inventory {
  const findings = createFindings();
  const { instances, ...models } = mapModels(source, findings, env);
  const names = createModelNames({ instances, ...models }, source);
  const { findOwner, ...owners } = mapOwners(source, findings);
  const keys = source.keys.flatMap((row) => {
    const key = mapKey(row, { findings, names, nowMs, ownerRef: findOwner(row) });
    return key ? [{ row, key }] : [];
  });
  const grants = mapGrants(source, { names, owners, keys, findings });
  noteForeign(source, findings);
  return {
    origin: 'litellm',
    instances,
    ...owners,
    grants,
    keys: keys.map(({ key }) => key),
    budgets: [...models.budgets, ...mapLimits(source, owners, keys, findings)],
    findings,
  };
}

interface Carried {
  readonly row: KeyRow;
  readonly key: FoundKey;
}

interface GrantParts {
  readonly names: ModelNames;
  readonly owners: Omit<MappedOwners, 'findOwner'>;
  readonly keys: readonly Carried[];
  readonly findings: Findings;
}

/** Grants models to teams, and to users for keys without a team. */
function mapGrants(source: LitellmSource, { findings, keys, names, owners }: GrantParts): FoundGrant[] {
  const teams = source.teams.map(
    (team): FoundGrant => ({
      grantee: 'team',
      ref: teamRef(team.team_id),
      models: names.expand(team.models, team.access_group_ids),
    }),
  );
  const teamIds = new Set(source.teams.map(({ team_id }) => team_id));
  const hasTeam = ({ row }: Carried) => row.team_id !== null && teamIds.has(row.team_id);
  const personal = new Set(keys.filter((key) => !hasTeam(key)).map(({ key }) => key.ownerRef));
  const shared = new Set(keys.filter(hasTeam).map(({ key }) => key.ownerRef));
  const administrators = new Set(owners.users.filter(({ role }) => role === 'admin').map(({ ref }) => ref));
  const rows = new Map(
    source.users.flatMap((row) => [
      [userRef(row.user_id), row] as const,
      [`account of ${userRef(row.user_id)}`, row] as const,
    ]),
  );
  const users = [...personal]
    .filter((ref) => !administrators.has(ref))
    .map((ref): FoundGrant => {
      if (shared.has(ref))
        findings.approximate(
          'model grants',
          ref,
          "the user has keys with and without a team: the user's own grant takes precedence over team grants, also for usage and budgets",
        );
      return { grantee: 'user', ref, models: names.expand(rows.get(ref)?.models ?? [], []) };
    });
  return [...teams, ...users];
}

function mapLimits(
  { budgets: rows, memberships, teams, users }: LitellmSource,
  { users: people }: Omit<MappedOwners, 'findOwner'>,
  keys: readonly Carried[],
  findings: Findings,
): FoundBudget[] {
  const shared = new Map(rows.map((row) => [row.budget_id, row]));
  const known = new Set(people.map(({ ref }) => ref));
  return [
    ...teams.flatMap((row) =>
      mapBudgets(
        { subject: 'team', ref: teamRef(row.team_id), name: row.team_alias ?? row.team_id },
        row,
        findings,
      ),
    ),
    ...users
      .filter(({ user_id }) => known.has(userRef(user_id)))
      .flatMap((row) =>
        mapBudgets(
          { subject: 'owner', ref: userRef(row.user_id), name: row.user_email ?? row.user_id },
          row,
          findings,
        ),
      ),
    ...memberships.flatMap(({ budget_id, spend, team_id, user_id }) => {
      const budget = budget_id === null ? undefined : shared.get(budget_id);
      if (!budget) return [];
      const place = { subject: 'owner', ref: userRef(user_id), teamRef: teamRef(team_id) } as const;
      return mapBudgets({ ...place, name: user_id }, { ...budget, spend }, findings);
    }),
    ...keys.flatMap(({ key, row }) =>
      mapBudgets(
        { subject: 'api_key', ref: key.ref, name: key.name },
        withShared(row, row.budget_id === null ? undefined : shared.get(row.budget_id)),
        findings,
      ),
    ),
  ];
}

function withShared(row: KeyRow, budget: BudgetRow | undefined): KeyRow {
  if (!budget) return row;
  return {
    ...row,
    max_budget: row.max_budget ?? budget.max_budget,
    soft_budget: row.soft_budget ?? budget.soft_budget,
    rpm_limit: row.rpm_limit ?? budget.rpm_limit,
    tpm_limit: row.tpm_limit ?? budget.tpm_limit,
    tpd_limit: row.tpd_limit ?? budget.tpd_limit,
    max_parallel_requests: row.max_parallel_requests ?? budget.max_parallel_requests,
    budget_duration: row.budget_duration ?? budget.budget_duration,
    budget_reset_at: row.budget_reset_at ?? budget.budget_reset_at,
  };
}

function noteForeign({ foreign, settings }: LitellmSource, findings: Findings): void {
  for (const [name, count] of Object.entries(foreign))
    if (count > 0) findings.leaveOut('settings', `${name}: ${count}`, 'Sluice has no equivalent');
  for (const name of settings.ignored)
    findings.leaveOut('settings', name, 'set up the equivalent in Sluice if you need it');
}
