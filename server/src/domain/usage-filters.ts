/** Filters of usage reports and the request log. Absent filters do not apply. */
export interface UsageFilters {
  readonly userId?: number | undefined;
  readonly teamIds?: readonly number[] | undefined;
  readonly taskId?: number | undefined;
  readonly apiKeyIds?: readonly number[] | undefined;
  readonly model?: string | undefined;
  readonly providerKey?: string | undefined;
  /** Label that requests must have; a `null` value matches any value. */
  readonly label?: { readonly name: string; readonly value: string | null } | undefined;
}
