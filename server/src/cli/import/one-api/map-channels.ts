import { type ProviderKey, providers } from '#providers/registry.ts';
import { cleanName } from '../clean-text.ts';
import type { Findings } from '../findings.ts';
import type { FoundInstance } from '../inventory.ts';
import type { ChannelRow, OneApiSource } from './read-database.ts';

const common: Readonly<Record<number, ProviderKey>> = {
  1: 'openai',
  3: 'azure_openai',
  8: 'custom',
  14: 'anthropic',
  20: 'openrouter',
  24: 'google',
  25: 'moonshot',
};
const ofOneApi: Readonly<Record<number, ProviderKey>> = {
  28: 'mistral',
  29: 'groq',
  30: 'ollama',
  35: 'cohere',
  36: 'deepseek',
  39: 'together',
};
const ofNewApi: Readonly<Record<number, ProviderKey>> = {
  4: 'ollama',
  27: 'perplexity',
  34: 'cohere',
  42: 'mistral',
  43: 'deepseek',
  48: 'xai',
};

const enabled = 1;

export interface MappedChannels {
  readonly instances: readonly FoundInstance[];
  /** Models available to callers of each group. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

export const listParts = (text: string | null): string[] =>
  (text ?? '')
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

/** Instances are in order of descending channel priority. */
export function mapChannels({ channels, isNewApi }: OneApiSource, findings: Findings): MappedChannels {
  const instances: FoundInstance[] = [];
  const groups = new Map<string, Set<string>>();
  const taken = new Set<string>();
  for (const channel of channels.toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0))) {
    const label = cleanName(channel.name, `Channel ${channel.id}`, 80);
    const mapped = mapChannel(channel, isNewApi);
    if (typeof mapped === 'string') {
      findings.leaveOut('providers', label, mapped);
      continue;
    }
    const name = taken.has(label.toLowerCase()) ? `${label} (channel ${channel.id})` : label;
    taken.add(name.toLowerCase());
    const [first = '', ...others] = (channel.key ?? '')
      .split('\n')
      .map((key) => key.trim())
      .filter(Boolean);
    if (others.length > 0)
      findings.approximate('providers', name, 'the channel has several keys; the first one is used');
    instances.push({ ...mapped, name, apiKey: first || null });
    for (const group of listParts(channel.group ?? 'default'))
      for (const model of mapped.names) groups.getOrInsertComputed(group, () => new Set()).add(model);
  }
  return { instances, groups };
}

function mapChannel({ base_url, key, model_mapping, models, status, type }: ChannelRow, isNewApi: boolean) {
  if (status !== enabled) return 'the channel is disabled';
  const known = common[type] ?? (isNewApi ? ofNewApi : ofOneApi)[type];
  const base = base_url?.trim().replace(/\/+$/, '') || null;
  // Channels of other types use OpenAI's protocol if they have a URL.
  const providerKey = known === 'openai' && base && base !== 'https://api.openai.com' ? 'custom' : known;
  if (!providerKey) return `Sluice does not have the provider of channel type ${type}`;
  const { defaultEndpoint, isKeyOptional } = providers[providerKey];
  const endpoint = base === null || providerKey === 'openai' ? null : toEndpoint(providerKey, base);
  if (endpoint === null && defaultEndpoint === null) return 'the channel has no URL';
  if (!key?.trim() && !isKeyOptional) return 'the channel has no key';
  const mapping = readMapping(model_mapping);
  const names = listParts(models);
  const aliases = new Map(names.flatMap((name) => (mapping[name] ? [[name, mapping[name]] as const] : [])));
  const enabledModels = new Set(names.map((name) => mapping[name] ?? name));
  // Without an alias at this instance, an alias of the same name at another instance would receive all requests.
  for (const name of names) if (!aliases.has(name)) aliases.set(name, name);
  return { providerKey, endpoint, models: enabledModels, aliases, names };
}

/** One API appends the API version itself. */
function toEndpoint(providerKey: ProviderKey, base: string): string {
  const isVersioned = providers[providerKey].endpointForm === 'versioned';
  return isVersioned && !/\/v\d+$/.test(base) ? `${base}/v1` : base;
}

function readMapping(text: string | null): Record<string, string> {
  try {
    const mapping: unknown = JSON.parse(text || '{}');
    return Object.fromEntries(
      Object.entries(mapping ?? {}).filter(([, model]) => typeof model === 'string' && model !== ''),
    );
  } catch {
    return {};
  }
}
