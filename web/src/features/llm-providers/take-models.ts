import type { ProviderFormState } from './provider-form.ts';

/** Enables the models found, and makes the vendor's usual model the default if it is among them. */
export function takeModels(
  { setValue }: Pick<ProviderFormState, 'setValue'>,
  found: readonly string[],
  usualModel: string | undefined,
): void {
  setValue('available_models', [...found]);
  setValue('enabled_models', [...found]);
  setValue('default_model', usualModel !== undefined && found.includes(usualModel) ? usualModel : '');
}
