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
  /** `null` while it takes requests. */
  readonly maintenance: Maintenance | null;
  /** Its place in the tenant's fallback order; `null` comes last. */
  readonly fallbackPosition: number | null;
  readonly createdAtMs: number;
}

/** In maintenance an instance keeps its grants and its running requests, and gets no new ones. */
export interface Maintenance {
  /** `null` until somebody ends it. */
  readonly untilMs: number | null;
  readonly reason: string | null;
}

/** The maintenance that keeps an instance from being called at this moment. */
export function findMaintenance(
  { maintenance }: Pick<ProviderInstance, 'maintenance'>,
  nowMs: number,
): Maintenance | null {
  return maintenance && (maintenance.untilMs === null || maintenance.untilMs > nowMs) ? maintenance : null;
}

/** A model of one instance: what a model name comes down to. */
export interface Target<Instance extends ProviderInstance = ProviderInstance> {
  readonly instance: Instance;
  readonly model: string;
}
