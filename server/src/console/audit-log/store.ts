import type { auditFilters, BudgetMeasure } from '@sluice/contract';
import { and, count, desc, eq, getTableColumns, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { containsText } from '#db/contains-text.ts';
import { auditEntries } from '#db/schema/audit-entries.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { totalCountMax } from '#domain/total-count.ts';

export type AuditFilters = z.output<z.ZodObject<typeof auditFilters>>;
export type AuditRow = typeof auditEntries.$inferSelect & { readonly measure: BudgetMeasure | null };

const { tenantId, actorId, action, objectType, objectId, objectName, before, after } = auditEntries;

const budgetId = sql`coalesce(audit_entries.after ->> 'budget_id', audit_entries.before ->> 'budget_id')`;

/** Measure of a budget, read from the first audit entry that contains it. Also works for deleted budgets. */
const recordedMeasure = (type: SQL, id: SQL) => sql`(
  SELECT coalesce(known.after ->> 'measure', known.before ->> 'measure') FROM audit_entries known
  WHERE known.tenant_id = audit_entries.tenant_id AND known.object_type = ${type} AND known.object_id = ${id}
    AND coalesce(known.after ->> 'measure', known.before ->> 'measure') IS NOT NULL
  ORDER BY known.id LIMIT 1)`;

/** Measure of the entry's budget. Entries of a changed limit do not contain the measure, because it never changes. */
const measure = sql<BudgetMeasure | null>`CASE audit_entries.object_type
  WHEN 'budget' THEN coalesce(
    audit_entries.after ->> 'measure', audit_entries.before ->> 'measure',
    (SELECT b.measure FROM budgets b WHERE b.id = audit_entries.object_id::integer),
    ${recordedMeasure(sql`'budget'`, sql`audit_entries.object_id`)})
  WHEN 'budget_default' THEN coalesce(
    audit_entries.after ->> 'measure', audit_entries.before ->> 'measure',
    (SELECT d.measure FROM budget_defaults d WHERE d.id = audit_entries.object_id::integer),
    ${recordedMeasure(sql`'budget_default'`, sql`audit_entries.object_id`)})
  WHEN 'budget_raise_request' THEN coalesce(
    (SELECT b.measure FROM budgets b WHERE b.id = ${budgetId}::integer),
    ${recordedMeasure(sql`'budget'`, budgetId)})
  END`;

/** Budgets and defaults of the whole organization have no recorded name. Budgets of an API key have the key's name. */
const shownName = sql<string | null>`coalesce(audit_entries.object_name, CASE audit_entries.object_type
  WHEN 'budget' THEN (SELECT coalesce(k.name, 'Organization') FROM budgets b LEFT JOIN api_keys k ON k.id = b.api_key_id
    WHERE b.id = audit_entries.object_id::integer)
  WHEN 'budget_default' THEN 'Organization'
  END)`;

/** Action as shown in the console, such as `update llm provider`. */
const shownAct = sql`coalesce(regexp_replace(audit_entries.action, '([A-Z])', ' \\1', 'g'),
  CASE WHEN audit_entries.before IS NULL THEN 'create ' WHEN audit_entries.after IS NULL THEN 'delete ' ELSE 'update ' END
  || replace(audit_entries.object_type, '_', ' '))`;

/** Columns of an entry. Tenants see that a platform operator made a change, but not which one. */
function columnsFor({ role }: Principal) {
  const columns = { ...getTableColumns(auditEntries), objectName: shownName, measure };
  if (role === 'super_admin') return columns;
  const unlessOutside = <Value>(column: PgColumn, otherwise: Value) =>
    sql<
      Value | string | null
    >`CASE WHEN ${auditEntries.actorTenantId} <> ${tenantId} THEN ${otherwise} ELSE ${column} END`;
  return {
    ...columns,
    actorName: unlessOutside(auditEntries.actorName, 'Platform operator'),
    actorEmail: unlessOutside(auditEntries.actorEmail, null),
    address: unlessOutside(auditEntries.address, null),
  };
}

export function auditCondition(
  principal: Principal,
  filters: AuditFilters,
  olderThan?: number,
): SQL | undefined {
  const { actorName, actorEmail } = columnsFor(principal);
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => SQL | undefined) =>
    value === undefined || value === '' ? undefined : toCondition(value);
  return and(
    isSeenBy(principal),
    given(olderThan, (id) => lt(auditEntries.id, id)),
    given(filters.actor_id, (id) => eq(actorId, id)),
    given(filters.action, (name) => eq(action, name)),
    given(filters.object_type, (type) => eq(objectType, type)),
    given(filters.object_id, (id) => eq(objectId, id)),
    given(filters.start_date, (day) =>
      gte(auditEntries.createdAt, startOf(principal, sql`${fromEpoch(day)}::date`)),
    ),
    given(filters.end_date, (day) =>
      lt(auditEntries.createdAt, startOf(principal, sql`${fromEpoch(day)}::date + 1`)),
    ),
    given(filters.search, (text) =>
      containsText(
        text,
        objectName,
        actorName,
        actorEmail,
        action,
        shownAct,
        sql`${before}::text`,
        sql`${after}::text`,
      ),
    ),
  );
}

function isSeenBy(principal: Principal): SQL | undefined {
  const isOfTenant = eq(tenantId, principal.tenantId);
  return principal.role === 'super_admin' ? or(isOfTenant, isNull(tenantId)) : isOfTenant;
}

/** Returns midnight of a day in the tenant's calendar. */
function startOf(principal: Principal, day: SQL): SQL {
  return sql`(SELECT (${day})::timestamp AT TIME ZONE ${tenants.timeZone} FROM ${tenants} WHERE ${tenants.id} = ${principal.tenantId})`;
}

/** PostgreSQL has no year 0, and there are no entries before 1970. */
function fromEpoch(day: string): string {
  return day < '1970-01-02' ? '1970-01-02' : day;
}

export async function findEntry(tx: TenantTransaction, principal: Principal, id: number) {
  const [row] = await tx
    .select(columnsFor(principal))
    .from(auditEntries)
    .where(and(isSeenBy(principal), eq(auditEntries.id, id)));
  return row;
}

export function selectEntries(
  tx: TenantTransaction,
  principal: Principal,
  condition: SQL | undefined,
  { skip, limit }: { skip: number; limit: number },
): Promise<AuditRow[]> {
  return tx
    .select(columnsFor(principal))
    .from(auditEntries)
    .where(condition)
    .orderBy(desc(auditEntries.id))
    .offset(skip)
    .limit(limit);
}

/** Counts at most `totalCountMax + 1` entries. */
export async function countEntries(tx: TenantTransaction, condition: SQL | undefined): Promise<number> {
  const counted = tx
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(condition)
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}
