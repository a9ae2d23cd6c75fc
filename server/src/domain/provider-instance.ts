/** A tenant's instance of a vendor, as routing sees it. */
export interface ProviderInstance {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly providerKey: string;
  readonly endpoint: string | null;
  readonly enabledModels: readonly string[];
  /** Names that callers may use, each standing for an enabled model. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
  readonly isActive: boolean;
  readonly createdAtMs: number;
}

/** A model of one instance: what a model name comes down to. */
export interface Target<Instance extends ProviderInstance = ProviderInstance> {
  readonly instance: Instance;
  readonly model: string;
}

/**
 * What a model name means among a tenant's instances, best first (design, section 3): an exact alias;
 * `instance/model`; `provider/model`; a bare name at the default instance that enables it, else the oldest that does.
 * Inactive instances never match. Names are compared without regard to the case of instance and provider.
 */
export function resolveModel<Instance extends ProviderInstance>(
  name: string,
  instances: readonly Instance[],
): Target<Instance>[] {
  const candidates = instances.filter(({ isActive }) => isActive).toSorted(byDefaultThenAge);
  const aliased = candidates.flatMap((instance) => {
    const model = Object.hasOwn(instance.aliases, name) ? instance.aliases[name] : undefined;
    return model === undefined ? [] : [{ instance, model }];
  });
  if (aliased.length > 0) return aliased;
  const separator = name.indexOf('/');
  if (separator > 0) {
    const prefix = name.slice(0, separator).toLowerCase();
    const model = name.slice(separator + 1);
    const named = enabling(candidates, model).filter(
      ({ instance }) => instance.name.toLowerCase() === prefix,
    );
    if (named.length > 0) return named;
    const ofProvider = enabling(candidates, model).filter(({ instance }) => instance.providerKey === prefix);
    if (ofProvider.length > 0) return ofProvider;
  }
  return enabling(candidates, name);
}

function enabling<Instance extends ProviderInstance>(
  instances: readonly Instance[],
  model: string,
): Target<Instance>[] {
  return instances
    .filter(({ enabledModels }) => enabledModels.includes(model))
    .map((instance) => ({ instance, model }));
}

function byDefaultThenAge(left: ProviderInstance, right: ProviderInstance): number {
  return (
    Number(right.isDefault) - Number(left.isDefault) ||
    left.createdAtMs - right.createdAtMs ||
    left.id - right.id
  );
}
