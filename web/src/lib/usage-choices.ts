interface Named {
  readonly id: number;
  readonly name: string;
}

/** Filter options of the log and of analytics, except users. Empty while loading. */
export interface UsageChoices {
  readonly teams: readonly Named[];
  readonly tasks: readonly Named[];
  readonly models: readonly string[];
  readonly providers: readonly { readonly key: string; readonly name: string }[];
}
