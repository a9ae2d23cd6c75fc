export interface ModelDirectory<Instance extends ProviderInstance> {
  /** Distinct model names that can be used without a prefix. */
  readonly names: ReadonlySet<string>;
  /**
   * Returns the instances that offer a name, best first: by exact alias, else by `instance/model`, `provider/model` or
   * bare name. The default instance is first, followed by the tenant's fallback order, then by age. Models and aliases
   * are case-sensitive.
   */
  resolve(name: string): readonly Target<Instance>[];
}

export function createModelDirectory<Instance extends ProviderInstance>(
  instances: readonly Instance[],
): ModelDirectory<Instance> {
  const byAlias = new Map<string, Target<Instance>[]>();
  const byModel = new Map<string, Target<Instance>[]>();
  for (const instance of instances.filter(({ isActive }) => isActive).toSorted(byFallbackOrder)) {
    for (const model of new Set(instance.enabledModels)) add(byModel, model, { instance, model });
    for (const [alias, model] of Object.entries(instance.aliases)) add(byAlias, alias, { instance, model });
  }
  const resolvePrefixed = (name: string) => {
    const separator = name.indexOf('/');
    if (separator < 1) return [];
    const prefix = name.slice(0, separator).toLowerCase();
    const enabling = byModel.get(name.slice(separator + 1)) ?? [];
    const named = enabling.filter(({ instance }) => instance.name.toLowerCase() === prefix);
    if (named.length > 0) return named;
    return enabling.filter(({ instance }) => instance.providerKey.toLowerCase() === prefix);
  };
  return {
    names: new Set([...byModel.keys(), ...byAlias.keys()]),
    resolve(name) {
      const aliased = byAlias.get(name);
      if (aliased) return aliased;
      const prefixed = resolvePrefixed(name);
      return prefixed.length > 0 ? prefixed : (byModel.get(name) ?? []);
    },
  };
}

function add<Entry>(entries: Map<string, Entry[]>, name: string, entry: Entry): void {
  const known = entries.get(name);
  if (known) known.push(entry);
  else entries.set(name, [entry]);
}

function byFallbackOrder(left: ProviderInstance, right: ProviderInstance): number {
  return (
    Number(right.isDefault) - Number(left.isDefault) ||
    comparePositions(left.fallbackPosition, right.fallbackPosition) ||
    left.createdAtMs - right.createdAtMs ||
    left.id - right.id
  );
}

function comparePositions(left: number | null, right: number | null): number {
  return left === right ? 0 : (left ?? Number.POSITIVE_INFINITY) - (right ?? Number.POSITIVE_INFINITY);
}

export interface ProviderInstance {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly providerKey: string;
  readonly endpoint: string | null;
  readonly enabledModels: readonly string[];
  /** Alternative names for enabled models, by alias. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
  readonly isActive: boolean;
  /** `null` if the instance is not in maintenance. */
  readonly maintenance: Maintenance | null;
  /** Position in the tenant's fallback order; `null` is last. */
  readonly fallbackPosition: number | null;
  readonly createdAtMs: number;
}

/** An instance in maintenance keeps its grants and running requests but receives no new requests. */
export interface Maintenance {
  /** Scheduled end; `null` if an administrator must end the maintenance. */
  readonly untilMs: number | null;
  readonly reason: string | null;
}

/** Returns `null` if the instance can be called. */
export function findMaintenance(
  { maintenance }: Pick<ProviderInstance, 'maintenance'>,
  nowMs: number,
): Maintenance | null {
  return maintenance && (maintenance.untilMs === null || maintenance.untilMs > nowMs) ? maintenance : null;
}

export interface Target<Instance extends ProviderInstance = ProviderInstance> {
  readonly instance: Instance;
  readonly model: string;
}
