import type { UserAccess } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { grantUserAccess } from './grant.ts';
import { keepEnabledModels } from './store.ts';

/** @throws ConsoleError 404 if the instance or user is unknown, 409 if the user already has a grant */
export async function grantEnabledModels(
  tx: TenantTransaction,
  author: Author,
  { userId, llmProviderId }: { readonly userId: number; readonly llmProviderId: number },
): Promise<UserAccess> {
  const models = await requireEnabledModels(tx, author.tenantId, llmProviderId);
  return grantUserAccess(tx, author, {
    user_id: userId,
    llm_provider_id: llmProviderId,
    allowed_models: models,
  });
}

/** @throws ConsoleError 404 if the instance is unknown */
export async function requireEnabledModels(
  tx: TenantTransaction,
  tenantId: number,
  llmProviderId: number,
): Promise<string[]> {
  const models = await keepEnabledModels(tx, tenantId, llmProviderId);
  if (!models) throw notFound('Provider');
  return models;
}
