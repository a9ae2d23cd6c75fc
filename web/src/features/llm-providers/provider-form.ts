import {
  createLlmProviderBody,
  type LlmProvider,
  type ProviderTimeoutField,
  providerTimeouts,
  updateLlmProviderBody,
} from '@sluice/contract';
import { z } from 'zod';
import type { ContractForm } from '#components/forms/use-contract-form.ts';

/** The API key belongs to the tenant (`self`) or the Sluice operator (`managed`). */
export type ProviderKind = 'self' | 'managed';

export interface Alias {
  readonly alias: string;
  readonly model: string;
}

export interface ProviderValues extends Record<string, unknown>, Record<ProviderTimeoutField, number | null> {
  /** Id in the registry, as text. */
  provider_registry_id: string;
  provider_instance_name: string;
  api_key: string;
  /** Whether the vendor requires an API key. */
  needs_api_key: boolean;
  api_endpoint: string;
  available_models: string[];
  enabled_models: string[];
  default_model: string;
  model_aliases: Alias[];
  is_default: boolean;
  is_active: boolean;
}

export type ProviderFormState = ContractForm<ProviderValues, unknown>;

export const newProvider: ProviderValues = {
  provider_registry_id: '',
  provider_instance_name: '',
  api_key: '',
  needs_api_key: true,
  api_endpoint: '',
  available_models: [],
  enabled_models: [],
  default_model: '',
  model_aliases: [],
  is_default: false,
  is_active: true,
  connect_timeout_ms: null,
  first_byte_timeout_ms: null,
  idle_timeout_ms: null,
  total_timeout_ms: null,
  stream_total_timeout_ms: null,
};

const { shape } = createLlmProviderBody;

const optionalEndpoint = z
  .string()
  .trim()
  .refine((text) => text === '' || URL.canParse(text), 'This is not a valid URL');

const aliasRows = z.array(z.object({ alias: z.string().trim(), model: z.string() }));

export const providerForm = z
  .object({
    provider_registry_id: z.string(),
    provider_instance_name: z.string().trim(),
    api_key: shape.api_key.unwrap(),
    needs_api_key: z.boolean(),
    api_endpoint: optionalEndpoint,
    available_models: shape.enabled_models,
    enabled_models: shape.enabled_models,
    default_model: z.string(),
    model_aliases: aliasRows,
    is_default: z.boolean(),
    is_active: z.boolean(),
    ...providerTimeouts,
  })
  .superRefine((values, check) => {
    const refuse = (path: PropertyKey[], message: string) =>
      check.addIssue({ code: 'custom', path, message });
    // Checked here instead of in the field schemas, so that all problems are reported together.
    for (const path of ['provider_registry_id', 'provider_instance_name'] as const) {
      const [issue] = shape[path].safeParse(values[path]).error?.issues ?? [];
      if (issue) refuse([path], issue.message);
    }
    if (values.needs_api_key && values.api_key === '') refuse(['api_key'], 'API key is required');
    for (const [index, { alias, model }] of values.model_aliases.entries()) {
      const path = ['model_aliases', index];
      if (alias === '') refuse([...path, 'alias'], 'Alias is required');
      if (model === '') refuse([...path, 'model'], 'Model is required');
      if (values.model_aliases.findIndex((row) => row.alias === alias) < index)
        refuse([...path, 'alias'], 'This alias is used twice');
    }
  })
  .transform(({ needs_api_key: _, api_key, ...values }) => ({
    ...values,
    ...(api_key !== '' && { api_key }),
    api_endpoint: values.api_endpoint || null,
    default_model: values.default_model || null,
    model_aliases: Object.fromEntries(values.model_aliases.map(({ alias, model }) => [alias, model])),
  }));

export type FilledProvider = z.output<typeof providerForm>;

/** The API key remains empty, because the server never returns it. */
export const readProvider = (provider: LlmProvider): ProviderValues => ({
  ...newProvider,
  provider_registry_id: provider.provider_key,
  provider_instance_name: provider.provider_instance_name,
  needs_api_key: false,
  api_endpoint: provider.api_endpoint ?? '',
  available_models: mergeNames(provider.available_models, provider.enabled_models),
  enabled_models: provider.enabled_models,
  default_model: provider.default_model ?? '',
  model_aliases: Object.entries(provider.model_aliases).map(([alias, model]) => ({ alias, model })),
  is_default: provider.is_default,
  is_active: provider.is_active,
  connect_timeout_ms: provider.connect_timeout_ms,
  first_byte_timeout_ms: provider.first_byte_timeout_ms,
  idle_timeout_ms: provider.idle_timeout_ms,
  total_timeout_ms: provider.total_timeout_ms,
  stream_total_timeout_ms: provider.stream_total_timeout_ms,
});

/** Returns only the changed fields, so that two administrators can edit different fields. */
export function pickChanges(
  provider: LlmProvider,
  { provider_registry_id: _, available_models, ...filled }: FilledProvider,
): z.input<typeof updateLlmProviderBody> {
  const before: Record<string, unknown> = { ...provider };
  const changed = Object.entries(filled).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  const hasNewNames = available_models.some(
    (name) => !readProvider(provider).available_models.includes(name),
  );
  return updateLlmProviderBody.parse({
    ...Object.fromEntries(changed),
    ...(hasNewNames && { available_models }),
  });
}

export const mergeNames = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
