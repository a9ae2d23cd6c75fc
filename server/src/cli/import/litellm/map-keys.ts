import { cleanName, toLabels } from '../clean-text.ts';
import type { Findings } from '../findings.ts';
import type { FoundKey } from '../inventory.ts';
import type { MappedModels } from './map-models.ts';
import type { KeyRow, LitellmSource } from './rows.ts';

const modelsMax = 100;
const special = new Set(['all-team-models', 'all-proxy-models']);

export interface ModelNames {
  /** Expands groups and patterns in a list of names; returns `null` for all models. */
  expand(names: readonly string[], accessGroupIds: readonly string[]): string[] | null;
}

export function createModelNames(
  { accessGroups: own, groups }: MappedModels,
  { accessGroups }: LitellmSource,
): ModelNames {
  const expandOne = (name: string): string[] => {
    const grouped =
      own.get(name) ?? accessGroups.find((group) => group.access_group_name === name)?.access_model_names;
    if (grouped && !groups.has(name)) return [...grouped];
    if (!name.includes('*')) return [name];
    const pattern = new RegExp(`^${name.split('*').map(RegExp.escape).join('.*')}$`);
    return [...(groups.get(name) ?? []), ...[...groups.keys()].filter((group) => pattern.test(group))];
  };
  return {
    expand(names, accessGroupIds) {
      const ofGroups = accessGroups
        .filter(({ access_group_id }) => accessGroupIds.includes(access_group_id))
        .flatMap(({ access_model_names }) => access_model_names);
      const listed = names.filter((name) => name !== 'no-default-models');
      if (names.length === 0 && ofGroups.length === 0) return null;
      if (listed.some((name) => special.has(name) || name === '*')) return null;
      return [...new Set([...listed, ...ofGroups].flatMap(expandOne))];
    },
  };
}

/** Returns `null` if the key is not imported. */
export function mapKey(
  key: KeyRow,
  {
    findings,
    names,
    nowMs,
    ownerRef,
  }: { findings: Findings; names: ModelNames; nowMs: number; ownerRef: string },
): FoundKey | null {
  const last4 = /[^.]{4}$/.exec(key.key_name ?? '')?.[0] ?? key.token.slice(-4);
  const name = cleanName(key.key_alias, `LiteLLM key ${last4}`);
  const reason = findObstacle(key, nowMs);
  if (reason !== null) {
    findings.leaveOut('API keys', name, reason);
    return null;
  }
  const models = names.expand(key.models, key.access_group_ids);
  if (models && (models.length === 0 || models.length > modelsMax)) {
    findings.leaveOut(
      'API keys',
      name,
      `it is limited to ${models.length} models; a key of Sluice has 1 to ${modelsMax}`,
    );
    return null;
  }
  const labels = mapLabels(key, name, findings);
  const { expires, token } = key;
  return {
    ref: token,
    sha256: token,
    name,
    last4,
    ownerRef,
    models,
    networks: null,
    expiresAt: expires,
    labels,
  };
}

function mapLabels(key: KeyRow, name: string, findings: Findings): FoundKey['labels'] {
  if (key.key_alias !== null && name !== key.key_alias)
    findings.approximate(
      'API keys',
      name,
      'its name was shortened, or contained characters that are not allowed in a name',
    );
  const { tags, ...metadata } = key.metadata;
  const list = Array.isArray(tags) && tags.length > 0 ? { tags: tags.join(' ') } : {};
  const { labels, left } = toLabels({ ...metadata, ...list });
  if (left.length > 0)
    findings.approximate(
      'API keys',
      name,
      `metadata that is not a short text is not imported: ${left.sort().join(', ')}`,
    );
  if (Object.keys(key.aliases).length > 0)
    findings.approximate('API keys', name, 'model aliases of a key are not imported');
  if (Object.keys(key.permissions).length > 0 || key.allowed_routes.length > 0)
    findings.approximate('API keys', name, 'permissions and allowed routes are not imported');
  return labels;
}

function findObstacle({ blocked, expires, token }: KeyRow, nowMs: number): string | null {
  if (!/^[0-9a-f]{64}$/i.test(token)) return 'it is not stored as a SHA-256, so it does not start with sk-';
  if (blocked) return 'it is blocked';
  return expires !== null && expires.getTime() <= nowMs ? 'it has expired' : null;
}
