import type { ApiKey, ApiKeyStatus, OwnApiKey } from '@sluice/contract';
import { readSpend, type SpendOf } from '#console/analytics/spend.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { maskApiKey } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findFormerKey, findNewestKey, selectKeys, userExists } from './store.ts';

export async function getApiKeyStatus(
  tx: TenantTransaction,
  author: Principal,
  userId: number,
): Promise<ApiKeyStatus> {
  const { tenantId } = author;
  if (!(await userExists(tx, tenantId, userId))) throw notFound('User');
  return readApiKeyStatus(tx, tenantId, userId);
}

/**
 * Returns the status of the user's newest primary key, even if it is revoked or expired. `has_api_key` is false only
 * if the user has never had a primary key.
 */
export async function readApiKeyStatus(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<ApiKeyStatus> {
  const key = await findNewestKey(tx, tenantId, userId);
  if (!key) return { has_api_key: false, api_key_status: null, former_key: null };
  const former = await findFormerKey(tx, tenantId, userId);
  return {
    has_api_key: true,
    api_key_status: toOwnApiKey(key, await readSpend(tx, tenantId, 'apiKey', { user_id: userId })),
    former_key: former?.expiresAt
      ? {
          id: former.id,
          masked_key: maskApiKey(former.last4),
          last_used_at: former.lastUsedAt?.toISOString() ?? null,
          expires_at: former.expiresAt.toISOString(),
        }
      : null,
  };
}

interface StoredApiKey
  extends OwnApiKey,
    Pick<ApiKey, 'kind' | 'models' | 'dialects' | 'allowed_networks' | 'labels'> {
  readonly last_used_address: string | null;
  readonly last_used_model: string | null;
}

export async function listApiKeys(
  tx: TenantTransaction,
  { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
): Promise<StoredApiKey[]> {
  const spendOf = await readSpend(tx, tenantId, 'apiKey', { user_id: userId });
  return (await selectKeys(tx, tenantId, userId)).map((key) => {
    const { kind, models, dialects, networks, labels } = key;
    return {
      ...toOwnApiKey(key, spendOf),
      ...{ kind, models, dialects, allowed_networks: networks, labels },
      last_used_address: key.lastUsedAddress,
      last_used_model: key.lastUsedModel,
    };
  });
}

function toOwnApiKey(key: Awaited<ReturnType<typeof selectKeys>>[number], spendOf: SpendOf): OwnApiKey {
  return {
    id: key.id,
    name: key.name,
    masked_key: maskApiKey(key.last4, key.origin),
    is_active: key.isActive,
    is_expired: key.isExpired,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    ...spendOf(key.id),
  };
}
