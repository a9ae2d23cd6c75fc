import type { LlmProvider } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import {
  newProvider,
  type ProviderValues,
  pickChanges,
  providerForm,
  readProvider,
} from './provider-form.ts';

const filled: ProviderValues = {
  ...newProvider,
  provider_registry_id: 'openai',
  provider_instance_name: 'Main',
  api_key: 'sk-1',
};
const problems = (values: Partial<ProviderValues>) =>
  Object.fromEntries(
    providerForm
      .safeParse({ ...filled, ...values })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  );

const saved: LlmProvider = {
  id: 1,
  provider_registry_id: 1,
  provider_key: 'openai',
  provider_instance_name: 'Main',
  api_endpoint: null,
  has_api_key: true,
  enabled_models: ['a', 'b'],
  available_models: ['a', 'b', 'c'],
  default_model: 'a',
  model_aliases: { fast: 'b' },
  is_default: false,
  is_active: true,
  is_service_managed: false,
  maintenance: null,
  fallback_position: null,
  connect_timeout_ms: null,
  first_byte_timeout_ms: null,
  idle_timeout_ms: null,
  total_timeout_ms: null,
  stream_total_timeout_ms: null,
  key_overlap: null,
  created_at: '2026-11-20T10:00:00Z',
};
const changesOf = (values: Partial<ProviderValues>) =>
  pickChanges(saved, providerForm.parse({ ...readProvider(saved), ...values }));

describe('providerForm', () => {
  it('providerForm reports all missing fields together', () => {
    expect(problems({ provider_registry_id: '', provider_instance_name: ' ', api_key: '' })).toEqual({
      provider_registry_id: 'Provider type is required',
      provider_instance_name: 'Instance name is required',
      api_key: 'API key is required',
    });
    expect(problems({ needs_api_key: false, api_key: '' })).toEqual({});
  });

  it('providerForm rejects invalid endpoints and empty or duplicate aliases', () => {
    expect(problems({ api_endpoint: 'llm' })).toEqual({ api_endpoint: 'This is not a valid URL' });
    expect(
      problems({
        model_aliases: [
          { alias: 'fast', model: 'a' },
          { alias: ' fast', model: '' },
          { alias: '', model: 'a' },
        ],
      }),
    ).toEqual({
      'model_aliases.1.alias': 'This alias is used twice',
      'model_aliases.1.model': 'Model is required',
      'model_aliases.2.alias': 'Alias is required',
    });
  });

  it('pickChanges returns changed fields only, and a key only if one was typed', () => {
    expect(changesOf({})).toEqual({});
    expect(changesOf({ is_active: false, provider_instance_name: ' Main ' })).toEqual({ is_active: false });
    expect(changesOf({ enabled_models: ['a'], default_model: '' })).toEqual({
      enabled_models: ['a'],
      default_model: null,
    });
    expect(changesOf({ available_models: ['a', 'b', 'c', 'd'], model_aliases: [] })).toEqual({
      available_models: ['a', 'b', 'c', 'd'],
      model_aliases: {},
    });
    expect(changesOf({ api_endpoint: 'https://llm.test/v1', api_key: 'sk-2' })).toEqual({
      api_endpoint: 'https://llm.test/v1',
      api_key: 'sk-2',
    });
  });
});
