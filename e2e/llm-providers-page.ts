import type { LlmProvider } from '@sluice/contract';
import type { Locator, Page } from 'playwright-core';
import type { Script } from '../server/test/providers/scripted-provider.ts';

const base = '**/api/v1';

export const providerAddresses = {
  list: `${base}/llm-providers`,
  one: /\/api\/v1\/llm-providers\/\d+$/,
  drill: `${base}/llm-providers/*/fallback-drill`,
  impact: `${base}/llm-providers/*/deletion-impact`,
  test: `${base}/llm-providers/test`,
  managedModels: `${base}/llm-providers/service-managed/*/models`,
  health: `${base}/llm-providers/health`,
  registry: `${base}/provider-registry`,
};

export async function openProviders(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/llm-providers${search}`);
  await page
    .getByRole('list', { name: 'LLM Providers' })
    .or(page.getByText('No LLM Providers', { exact: true }))
    .waitFor();
}

export const cardOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });

/** Returns a provider for screenshots and for states that a new installation does not have. */
export function describeProvider(
  id: number,
  provider_key: string,
  provider_instance_name: string,
  fields: Partial<LlmProvider> = {},
): LlmProvider {
  return {
    id,
    provider_registry_id: id,
    provider_key,
    provider_instance_name,
    api_endpoint: null,
    has_api_key: true,
    enabled_models: [],
    available_models: fields.enabled_models ?? [],
    default_model: null,
    model_aliases: {},
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
    created_at: '2026-11-03T09:00:00.000Z',
    ...fields,
  };
}

export const listModels =
  (models: readonly string[]): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
  };

export const refuse =
  (status: number, error?: object): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(error ? JSON.stringify({ error }) : '');
  };
