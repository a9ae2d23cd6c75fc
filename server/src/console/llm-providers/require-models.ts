import type { TenantTransaction } from '#db/tenant.ts';
import { findModelProblem, type InstanceModels } from '#domain/find-model-problem.ts';
import { invalidField } from '#errors/console-error.ts';
import { findTakenAlias } from './store.ts';

/**
 * Returns the deduplicated models of an instance.
 * @throws ConsoleError 422 for names without a target or used by another instance of the tenant.
 */
export async function requireModels(
  tx: TenantTransaction,
  tenantId: number,
  models: InstanceModels,
  ownId: number | null = null,
) {
  const { defaultModel, aliases: modelAliases } = models;
  const enabledModels = [...new Set(models.enabledModels)];
  const fault = findModelProblem({ ...models, enabledModels });
  if (fault) throw invalidField(fault.field, fault.problem);
  const taken = await findTakenAlias(tx, tenantId, Object.keys(modelAliases), ownId);
  if (taken !== undefined) {
    throw invalidField('model_aliases', `Another provider has the alias '${taken}' already`);
  }
  return { enabledModels, defaultModel, modelAliases };
}
