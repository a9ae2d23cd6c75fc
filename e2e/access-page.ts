import type { AccessExplanation, GrantableProvider, TeamAccess, UserAccess } from '@sluice/contract';
import type { Page } from 'playwright-core';

const base = '**/api/v1/admin/provider-access';

export const accessAddresses = {
  users: `${base}/users?*`,
  teams: `${base}/teams?*`,
  summary: `${base}/summary`,
  providers: `${base}/available-providers`,
  people: `${base}/available-users`,
  teamChoices: `${base}/available-teams`,
  userProviders: `${base}/users/*/available-providers`,
  explain: `${base}/explain?*`,
};

export async function openAccess(page: Page, search = '', label = 'User Access'): Promise<void> {
  await page.goto(`/admin/provider-access${search}`);
  await page.locator(`table[aria-label="${label}"][aria-busy="false"]`).waitFor();
}

export function describeProvider(
  id: number,
  provider_key: string,
  provider_instance_name: string,
  enabled_models: string[],
  is_active = true,
): GrantableProvider {
  return {
    id,
    provider_registry_id: id,
    provider_key,
    provider_name: provider_key,
    provider_instance_name,
    enabled_models,
    default_model: enabled_models[0] ?? null,
    is_active,
  };
}

const instanceOf = ({ id, provider_key, provider_instance_name }: GrantableProvider) => ({
  provider_key,
  provider_instance_name,
  llm_provider_id: id,
  provider_registry_id: id,
});

export const describeUserAccess = (
  user_id: number,
  user_name: string,
  provider: GrantableProvider,
  allowed_models: string[],
): UserAccess => ({
  id: user_id,
  user_id,
  user_name,
  ...instanceOf(provider),
  allowed_models,
  created_at: '2026-11-03T09:12:00.000Z',
});

export const describeTeamAccess = (
  team_id: number,
  team_name: string,
  provider: GrantableProvider,
  allowed_models: string[],
): TeamAccess => ({
  id: team_id,
  team_id,
  team_name,
  ...instanceOf(provider),
  allowed_models,
  created_at: '2026-10-28T15:40:00.000Z',
});

export const refusal: AccessExplanation = {
  user_id: 3,
  model: 'gpt-5',
  tasks: [{ id: 4, title: 'API access' }],
  is_allowed: false,
  rules: [
    { name: 'user', outcome: 'passes', detail: 'Aiko Tanaka is active and not blocked' },
    { name: 'task', outcome: 'passes', detail: 'Works for "API access", her only active task' },
    { name: 'tenant', outcome: 'passes', detail: 'Northwind is active' },
    { name: 'model', outcome: 'passes', detail: 'gpt-5 is enabled by openai-main' },
    { name: 'blacklist', outcome: 'passes', detail: 'No entry fits openai / gpt-5' },
    {
      name: 'grant',
      outcome: 'refuses',
      detail: 'Neither a direct grant nor one of her teams (Research) allows gpt-5 of openai-main',
    },
    { name: 'limits', outcome: 'not_asked', detail: '' },
    { name: 'provider', outcome: 'not_asked', detail: '' },
  ],
  error_code: 'model_not_allowed',
};
