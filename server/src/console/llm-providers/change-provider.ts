import type { LlmProvider, setFallbackOrderBody, startMaintenanceBody } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import { toLlmProvider } from './list.ts';
import { type ProviderRow, selectProviders, setFallbackPositions, updateProvider } from './store.ts';

type Changes = Parameters<typeof updateProvider>[3];

/**
 * Updates an instance with the result of `findChanges` and returns it. Prevents concurrent changes of the tenant's
 * instances.
 * @throws ConsoleError 404 if the tenant does not have the instance
 */
export async function changeProvider(
  tx: TenantTransaction,
  { tenantId }: Author,
  id: number,
  findChanges: (row: ProviderRow) => Changes | Promise<Changes>,
): Promise<LlmProvider> {
  await holdLock(tx, 'llmProviders', tenantId);
  const row = await requireRow(tx, tenantId, id);
  await updateProvider(tx, tenantId, id, await findChanges(row));
  return toLlmProvider(await requireRow(tx, tenantId, id));
}

async function requireRow(tx: TenantTransaction, tenantId: number, id: number): Promise<ProviderRow> {
  const [row] = await selectProviders(tx, tenantId, id);
  if (!row) throw notFound('Provider');
  return row;
}

/** Running requests finish. Another call changes the end and the reason. */
export function startMaintenance(
  tx: TenantTransaction,
  author: Author,
  {
    id,
    body: { until, reason },
  }: { readonly id: number; readonly body: z.output<typeof startMaintenanceBody> },
): Promise<LlmProvider> {
  return changeProvider(tx, author, id, ({ maintenanceSince, maintenanceUntil }) => {
    const isRunning = maintenanceSince && !(maintenanceUntil && maintenanceUntil.getTime() <= Date.now());
    return {
      maintenanceSince: isRunning ? maintenanceSince : new Date(),
      maintenanceUntil: until ? new Date(until) : null,
      maintenanceReason: reason || null,
    };
  });
}

/** Has no effect if the instance is not in maintenance. */
export function endMaintenance(tx: TenantTransaction, author: Author, id: number): Promise<LlmProvider> {
  return changeProvider(tx, author, id, () => ({
    maintenanceSince: null,
    maintenanceUntil: null,
    maintenanceReason: null,
  }));
}

/**
 * Sets the order in which instances are tried if several of them offer a model. Instances that are not listed follow
 * in their current order.
 * @throws ConsoleError 422 for duplicate or unknown instances
 */
export async function setFallbackOrder(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  { llm_provider_ids: named }: z.output<typeof setFallbackOrderBody>,
): Promise<LlmProvider[]> {
  await holdLock(tx, 'llmProviders', tenantId);
  const rows = await selectProviders(tx, tenantId);
  const others = new Set(rows.toSorted(byPlace).map(({ id }) => id));
  for (const id of named) if (!others.delete(id)) throw invalidField('llm_provider_ids', orderProblem);
  await setFallbackPositions(tx, tenantId, [...named, ...others]);
  return (await selectProviders(tx, tenantId)).map(toLlmProvider);
}

const orderProblem = 'A provider is listed twice or no longer exists. Reload the providers and try again.';

function byPlace(left: ProviderRow, right: ProviderRow): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (left.fallbackPosition ?? last) - (right.fallbackPosition ?? last);
}
