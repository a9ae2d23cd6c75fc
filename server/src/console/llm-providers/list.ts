import type { LlmProvider } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { type ProviderRow, selectProviders } from './store.ts';

export async function listLlmProviders(tx: TenantTransaction, author: Author): Promise<LlmProvider[]> {
  const rows = await selectProviders(tx, author.tenantId);
  return rows.map(toLlmProvider);
}

/** Shows whether the instance has a key, but not the key itself. */
export function toLlmProvider(row: ProviderRow): LlmProvider {
  return {
    id: row.id,
    provider_registry_id: row.registryId,
    provider_key: row.providerKey,
    provider_instance_name: row.name,
    has_api_key: row.hasApiKey,
    ...toProviderSettings(row),
    maintenance: readMaintenance(row),
    fallback_position: row.fallbackPosition,
    key_overlap: readKeyOverlap(row),
    created_at: row.createdAt.toISOString(),
  };
}

type SettingColumn =
  | 'apiEndpoint'
  | 'enabledModels'
  | 'availableModels'
  | 'defaultModel'
  | 'modelAliases'
  | 'isDefault'
  | 'isActive'
  | 'isServiceManaged'
  | 'connectTimeoutMs'
  | 'firstByteTimeoutMs'
  | 'idleTimeoutMs'
  | 'totalTimeoutMs'
  | 'streamTotalTimeoutMs';

export function toProviderSettings(row: Pick<ProviderRow, SettingColumn>) {
  return {
    api_endpoint: row.apiEndpoint,
    enabled_models: row.enabledModels,
    available_models: row.availableModels,
    default_model: row.defaultModel,
    model_aliases: row.modelAliases,
    is_default: row.isDefault,
    is_active: row.isActive,
    is_service_managed: row.isServiceManaged,
    connect_timeout_ms: row.connectTimeoutMs,
    first_byte_timeout_ms: row.firstByteTimeoutMs,
    idle_timeout_ms: row.idleTimeoutMs,
    total_timeout_ms: row.totalTimeoutMs,
    stream_total_timeout_ms: row.streamTotalTimeoutMs,
  };
}

function readMaintenance(row: ProviderRow): LlmProvider['maintenance'] {
  const { maintenanceSince: since, maintenanceUntil: until, maintenanceReason: reason } = row;
  if (since === null || (until !== null && until.getTime() <= Date.now())) return null;
  return { since: since.toISOString(), until: until?.toISOString() ?? null, reason };
}

function readKeyOverlap({
  formerApiKeyExpiresAt: endsAt,
  newKeyRefusedAt,
}: ProviderRow): LlmProvider['key_overlap'] {
  if (endsAt === null || endsAt.getTime() <= Date.now()) return null;
  return { ends_at: endsAt.toISOString(), new_key_refused_at: newKeyRefusedAt?.toISOString() ?? null };
}
