export interface InstanceModels {
  readonly enabledModels: readonly string[];
  readonly defaultModel: string | null;
  readonly aliases: Readonly<Record<string, string>>;
}

/** Returns `null` if all models are enabled. */
export function findModelProblem({
  enabledModels,
  defaultModel,
  aliases,
}: InstanceModels): { field: 'default_model' | 'model_aliases'; problem: string } | null {
  const enabled = new Set(enabledModels);
  if (defaultModel !== null && !enabled.has(defaultModel)) {
    return { field: 'default_model', problem: 'The default model must be one of the enabled models' };
  }
  const invalidAlias = Object.entries(aliases).find(([, model]) => !enabled.has(model));
  if (!invalidAlias) return null;
  const [alias, model] = invalidAlias;
  return { field: 'model_aliases', problem: `'${alias}' is an alias of '${model}', which is not enabled` };
}
