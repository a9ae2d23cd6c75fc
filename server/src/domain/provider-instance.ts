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
