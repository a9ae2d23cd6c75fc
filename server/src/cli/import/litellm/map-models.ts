import { listKnownModels } from '#providers/model-facts/find-model-facts.ts';
import { providers } from '#providers/registry.ts';
import { cleanName } from '../clean-text.ts';
import type { Findings } from '../findings.ts';
import type { FoundBudget, FoundInstance } from '../inventory.ts';
import { defaultKeyVariables, type FoundProvider, findProvider } from './find-provider.ts';
import type { LitellmSource, ModelRow } from './rows.ts';

interface Instance extends FoundInstance {
  readonly models: Set<string>;
  readonly aliases: Map<string, string>;
}

interface Deployment extends FoundProvider {
  readonly endpoint: string | null;
  readonly apiKey: string | null;
}

export interface MappedModels {
  readonly instances: readonly FoundInstance[];
  readonly budgets: readonly FoundBudget[];
  /** Provider models by the names that callers of LiteLLM use. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** Model groups of each access group. */
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

interface Mapping {
  readonly instances: Instance[];
  readonly budgets: FoundBudget[];
  readonly groups: Map<string, Set<string>>;
  /** Deployments of each group, in LiteLLM's order. */
  readonly deployments: Map<string, Deployment[]>;
  readonly findings: Findings;
}

/**
 * Maps deployments to instances, one per provider, URL and key. A model group becomes an alias at each of its
 * instances, which are tried in order. Fallbacks have the same alias at later instances.
 */
export function mapModels(
  source: LitellmSource,
  findings: Findings,
  env: Readonly<Record<string, string | undefined>>,
): MappedModels {
  const mapping: Mapping = {
    instances: [],
    budgets: [],
    groups: new Map(),
    deployments: new Map(),
    findings,
  };
  const accessGroups = new Map<string, string[]>();
  const variables = { ...source.settings.environment, ...env };
  for (const row of source.models) {
    const deployment = row.blocked ? 'it is blocked' : readDeployment(row, source, variables);
    if (typeof deployment === 'string') findings.leaveOut('models', row.model_name, deployment);
    else addDeployment(mapping, row, deployment);
    const names = row.model_info.access_groups;
    for (const name of Array.isArray(names) ? names.map(String) : [])
      accessGroups.getOrInsertComputed(name, () => []).push(row.model_name);
  }
  for (const [group, found] of mapping.deployments)
    if (found.length > 1)
      findings.approximate(
        'models',
        group,
        'its deployments are tried in order; LiteLLM distributes requests among them',
      );
  for (const [alias, group] of Object.entries(source.settings.aliases)) addAlias(mapping, alias, group);
  for (const fallbacks of source.settings.fallbacks)
    for (const [group, others] of Object.entries(fallbacks))
      for (const other of others) addFallback(mapping, group, other);
  return { ...mapping, accessGroups };
}

function readDeployment(
  { litellm_params: own }: ModelRow,
  { credentials }: LitellmSource,
  variables: Readonly<Record<string, string | undefined>>,
): Deployment | string {
  const credential = credentials.find(
    ({ credential_name }) => credential_name === own.litellm_credential_name,
  );
  const params = { ...credential?.credential_values, ...own };
  const missing: string[] = [];
  const read = (name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') return null;
    if (!value.startsWith('os.environ/')) return value;
    const variable = value.slice('os.environ/'.length);
    if (!variables[variable]) missing.push(variable);
    return variables[variable] || null;
  };
  const endpoint = read('api_base') ?? read('base_url');
  const found = findProvider(read('model') ?? '', { custom: read('custom_llm_provider'), endpoint });
  if (typeof found === 'string') return found;
  const apiKey =
    read('api_key') ??
    defaultKeyVariables(found)
      .map((name) => variables[name])
      .find(Boolean) ??
    null;
  if (missing.length > 0)
    return `the variable ${missing.join(', ')} is not set here; set it as for LiteLLM and run the import again`;
  const { defaultEndpoint, isKeyOptional } = providers[found.key];
  if (endpoint === null && defaultEndpoint === null) return 'it has no URL (api_base)';
  if (apiKey === null && !isKeyOptional) return 'it has no key';
  return { ...found, endpoint, apiKey };
}

function addDeployment(mapping: Mapping, row: ModelRow, deployment: Deployment): void {
  const { model_name: group, litellm_params: params } = row;
  const { findings } = mapping;
  if (deployment.model.includes('*')) {
    addWildcard(mapping, group, deployment);
    return;
  }
  const instance = place(mapping, group, deployment);
  mapping.deployments.getOrInsertComputed(group, () => []).push(deployment);
  for (const [field, measure] of [
    ['rpm', 'requests'],
    ['tpm', 'tokens'],
  ] as const) {
    const limit = Number(params[field] ?? Number.NaN);
    if (!Number.isFinite(limit)) continue;
    const terms = { measure, window: 'minute', action: 'refuse', limit: Math.floor(limit) } as const;
    mapping.budgets.push({
      subject: 'provider',
      ref: instance.name,
      modelPattern: deployment.model,
      ...terms,
    });
  }
  const lost = Object.keys(params).filter((name) => !readParams.has(name) && params[name] != null);
  if (lost.length > 0)
    findings.approximate(
      'models',
      group,
      `these parameters of the deployment are not imported: ${lost.sort().join(', ')}`,
    );
}

const readParams = new Set([
  ...[
    'model',
    'api_key',
    'api_base',
    'base_url',
    'custom_llm_provider',
    'litellm_credential_name',
    'rpm',
    'tpm',
  ],
  // Flags that exist only in LiteLLM's tables.
  ...['use_in_pass_through', 'use_litellm_proxy', 'merge_reasoning_content_in_choices'],
]);

/**
 * Adds the model and the alias to an instance of the deployment in which the alias is not used for another model.
 * Creates the instance if no existing one fits.
 */
function place({ groups, instances }: Mapping, alias: string, deployment: Deployment, after = -1): Instance {
  const { apiKey, endpoint, key, model } = deployment;
  const isSame = (one: Instance) =>
    one.providerKey === key && one.endpoint === endpoint && one.apiKey === apiKey;
  const found = instances.find(
    (one, index) => index > after && isSame(one) && (one.aliases.get(alias) ?? model) === model,
  );
  const instance = found ?? createInstance(instances, deployment);
  instance.models.add(model);
  instance.aliases.set(alias, model);
  groups.getOrInsertComputed(alias, () => new Set()).add(model);
  return instance;
}

function createInstance(instances: Instance[], { apiKey, endpoint, key }: Deployment): Instance {
  const base = cleanName(`LiteLLM ${providers[key].displayName}`, 'LiteLLM', 90);
  const number = instances.filter(({ providerKey }) => providerKey === key).length + 1;
  const name = number === 1 ? base : `${base} ${number}`;
  const instance = {
    name,
    providerKey: key,
    endpoint,
    apiKey,
    models: new Set<string>(),
    aliases: new Map(),
  };
  instances.push(instance);
  return instance;
}

const aliasesMax = 500;

/** Enables the known models of the provider. Models that are added later must be enabled in the console. */
function addWildcard(mapping: Mapping, group: string, deployment: Deployment): void {
  const { findings } = mapping;
  const { key, model: pattern, prefix } = deployment;
  const [start = '', end = ''] = pattern.split('*', 2);
  const known = [...new Set([...providers[key].models, ...listKnownModels(key)])].filter(
    (name) => name.startsWith(start) && name.endsWith(end),
  );
  if (known.length === 0 || !group.includes('*')) {
    findings.leaveOut(
      'models',
      group,
      `no models of the provider ${prefix} are known; enable them in the console`,
    );
    return;
  }
  for (const model of known.slice(0, aliasesMax)) {
    const alias = group.replace('*', model.slice(start.length, model.length - end.length));
    place(mapping, alias, { ...deployment, model });
    mapping.groups.getOrInsertComputed(group, () => new Set()).add(model);
  }
  findings.approximate(
    'models',
    group,
    `the ${Math.min(known.length, aliasesMax)} known models of the provider are enabled; enable later ones in the console`,
  );
}

function addAlias(mapping: Mapping, alias: string, group: string): void {
  const found = mapping.deployments.get(group) ?? [];
  if (found.length === 0) mapping.findings.leaveOut('models', alias, `its model ${group} was not imported`);
  for (const deployment of found) place(mapping, alias, deployment);
}

function addFallback(mapping: Mapping, group: string, other: string): void {
  const { deployments, findings, instances } = mapping;
  const found = deployments.get(other) ?? [];
  if (!deployments.has(group) || found.length === 0) {
    findings.leaveOut(
      'models',
      `${group} to ${other}`,
      'one of the models of this fallback was not imported',
    );
    return;
  }
  const after = instances.findLastIndex(({ aliases }) => aliases.has(group));
  for (const deployment of found) place(mapping, group, deployment, after);
}
