import type { ProviderFormState } from './provider-form.ts';

/** Enables the models that were found, and makes the vendor's usual one the default where it is among them. */
export function takeModels(
  { setValue }: Pick<ProviderFormState, 'setValue'>,
  found: readonly string[],
  usualModel: string | undefined,
): void {
  setValue('available_models', [...found]);
  setValue('enabled_models', [...found]);
  setValue('default_model', usualModel !== undefined && found.includes(usualModel) ? usualModel : '');
}
