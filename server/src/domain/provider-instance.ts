/** A tenant's instance of a vendor, as used for routing. */
export interface ProviderInstance {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  readonly providerKey: string;
  readonly endpoint: string | null;
  readonly enabledModels: readonly string[];
  /** Names that callers may use, each for an enabled model. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly isDefault: boolean;
  readonly isActive: boolean;
  /** `null` if not in maintenance. */
  readonly maintenance: Maintenance | null;
  /** Position in the tenant's fallback order; `null` comes last. */
  readonly fallbackPosition: number | null;
  readonly createdAtMs: number;
}

/** During maintenance an instance keeps its grants and running requests, but gets no new ones. */
export interface Maintenance {
  /** `null` until ended by an administrator. */
  readonly untilMs: number | null;
  readonly reason: string | null;
}

/** Returns the maintenance that currently prevents an instance from being called. */
export function findMaintenance(
  { maintenance }: Pick<ProviderInstance, 'maintenance'>,
  nowMs: number,
): Maintenance | null {
  return maintenance && (maintenance.untilMs === null || maintenance.untilMs > nowMs) ? maintenance : null;
}

/** A model of one instance, to which a model name resolves. */
export interface Target<Instance extends ProviderInstance = ProviderInstance> {
  readonly instance: Instance;
  readonly model: string;
}
