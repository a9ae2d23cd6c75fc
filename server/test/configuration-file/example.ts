import type { KindName } from '#configuration-file/kinds/kind.ts';

type Entry = Record<string, unknown>;

/** Configuration of a tenant with an object of every kind. Each `KindCase` changes a copy. */
export interface ExampleTenant extends Entry {
  slug: string;
  name: string;
  settings?: Entry;
  sign_in_policy?: Entry;
  domains: Entry[];
  identity_providers: Entry[];
  teams: (Entry & { members?: Entry[] })[];
  users: Entry[];
  service_accounts: Entry[];
  providers: (Entry & { prices?: Entry[] })[];
  fallback_order?: string[];
  user_grants: Entry[];
  team_grants: Entry[];
  blacklist: Entry[];
  tasks: (Entry & { assigned_to?: Entry[] })[];
  api_access_tasks: Entry[];
  budgets: Entry[];
  default_budgets: Entry[];
}

export function createExample(issuer: string, slug = 'acme'): ExampleTenant {
  return {
    slug,
    name: 'Acme',
    user_limit: 50,
    settings: { time_zone: 'Europe/Berlin', retention_days: 200, deviation_policy: policy(0.9) },
    sign_in_policy: { session_hours: 10 },
    domains: [{ name: `${slug}.test` }],
    identity_providers: [
      {
        name: 'Login',
        issuer,
        client_id: 'sluice',
        client_secret: 'env:OIDC_SECRET',
        default_role: 'user',
        role_map: { admins: 'admin' },
        team_map: { platform: 'Platform' },
      },
    ],
    teams: [
      {
        name: 'Platform',
        description: 'Builds the platform',
        labels: { cost_center: '4711' },
        members: [
          { user: `ada@${slug}.test`, role: 'admin' },
          { user: `ben@${slug}.test`, role: 'member' },
        ],
      },
      { name: 'Research' },
    ],
    users: [
      { email: `ada@${slug}.test`, name: 'Ada', role: 'admin', password: 'env:FIRST_PASSWORD' },
      { email: `ben@${slug}.test`, name: 'Ben', daily_quota: 5_000 },
      { email: `cy@${slug}.test`, name: 'Cy', is_active: true, labels: { project: 'x' } },
    ],
    service_accounts: [{ name: 'ci', team: 'Platform', scores_deviation: false }],
    ...createModels(slug),
    ...createWork(slug),
  };
}

const createModels = (slug: string) => ({
  providers: [
    {
      name: 'Main',
      vendor: 'openai',
      api_key: 'env:OPENAI_KEY',
      enabled_models: ['gpt-4o', 'gpt-4o-mini'],
      model_aliases: { fast: 'gpt-4o-mini' },
      is_default: true,
      total_timeout_ms: 60_000,
      prices: [{ model: 'gpt-4o', price: { input: 2, output: 8 } }],
    },
    {
      name: 'Own',
      vendor: 'custom',
      api_endpoint: 'http://127.0.0.1:8000/v1/',
      enabled_models: ['small'],
      api_key: 'env:OPENAI_KEY',
    },
    {
      name: 'Spare',
      vendor: 'custom',
      api_endpoint: 'http://127.0.0.1:8001/v1',
      enabled_models: [],
      api_key: 'env:OPENAI_KEY',
    },
  ],
  fallback_order: ['Own', 'Main'],
  user_grants: [
    { user: `ben@${slug}.test`, provider: 'Main', models: ['gpt-4o'] },
    { service_account: 'ci', provider: 'Own', models: ['small'] },
  ],
  team_grants: [{ team: 'Platform', provider: 'Main', models: ['gpt-4o-mini'] }],
  blacklist: [{ vendor: 'openai', models: 'o1*', reason: 'Too expensive' }],
});

const createWork = (slug: string) => ({
  tasks: [
    {
      title: 'Write tests',
      description: 'Write tests for the gateway',
      token_limit: 20_000,
      assigned_to: [{ user: `ben@${slug}.test` }],
    },
    { title: 'Write tests', number: 2, description: 'The second of this name' },
  ],
  api_access_tasks: [{ user: `cy@${slug}.test` }],
  budgets: [
    { measure: 'usd', window: 'month', limit: 500 },
    { team: 'Platform', measure: 'usd', window: 'month', limit: 100, thresholds: [0.5, 1] },
    { user: `ben@${slug}.test`, measure: 'tokens', window: 'day', limit: 1_000, models: 'gpt-4o*' },
    { service_account: 'ci', measure: 'requests', window: 'hour', limit: 10 },
    { task: 'Write tests', measure: 'requests', window: 'total', limit: 100, action: 'warn' },
    { provider: 'Main', measure: 'usd', window: 'day', limit: 20 },
  ],
  default_budgets: [
    { measure: 'usd', window: 'month', limit: 20 },
    { team: 'Platform', measure: 'usd', window: 'month', limit: 40 },
  ],
});

const policy = (block: number) => ({
  mode: 'warn',
  weights: { off_topic: 1, category: 0.4, wording: 0.1, burst: 0.2, refusals: 0.5 },
  thresholds: { elevated: 0.5, high: 0.7, block },
});

export interface KindCase {
  /** Absent for kinds without changeable fields. */
  readonly change?: (tenant: ExampleTenant) => void;
  /** Absent for kinds that every tenant has. */
  readonly omit?: { readonly name: string; readonly from: (tenant: ExampleTenant) => void };
  readonly call: (ids: Ids) => readonly [method: string, path: string, body?: object];
}

/** Returns the id of a managed object. */
export type Ids = (kind: KindName, name: string) => number;

const first = <Row>(rows: readonly Row[] | undefined): Row => {
  const [row] = rows ?? [];
  if (row === undefined) throw new Error('the example has none');
  return row;
};

export const kindCases: Readonly<Record<KindName, KindCase>> = {
  tenant: {
    change: (tenant) => void Object.assign(tenant, { name: 'Acme Ltd' }),
    call: (id) => ['PUT', `/tenants/${id('tenant', 'acme')}`, { name: 'Other' }],
  },
  settings: {
    change: (tenant) => void Object.assign(tenant.settings ?? {}, { retention_days: 100 }),
    call: () => ['PUT', '/admin/settings', { retention_days: 50, body_retention_days: 50 }],
  },
  domain: {
    omit: { name: 'acme.test', from: (tenant) => void Object.assign(tenant, { domains: [] }) },
    call: (id) => ['DELETE', `/admin/domains/${id('domain', 'acme.test')}`],
  },
  team: {
    change: (tenant) => void Object.assign(first(tenant.teams), { description: 'Another description' }),
    omit: { name: 'Research', from: (tenant) => void tenant.teams.pop() },
    call: (id) => ['PUT', `/admin/teams/${id('team', 'Platform')}`, { description: 'Other' }],
  },
  user: {
    change: (tenant) => void Object.assign(first(tenant.users.slice(1)), { daily_quota: 7_000 }),
    omit: {
      name: 'cy@acme.test',
      from: (tenant) => {
        tenant.users.pop();
        tenant.api_access_tasks = [];
      },
    },
    call: (id) => ['PUT', `/admin/users/${id('user', 'ben@acme.test')}`, { daily_quota: 1 }],
  },
  service_account: {
    change: (tenant) => void Object.assign(first(tenant.service_accounts), { scores_deviation: true }),
    omit: {
      name: 'ci',
      from: (tenant) => {
        tenant.service_accounts = [];
        tenant.user_grants.pop();
        tenant.budgets = tenant.budgets.filter((budget) => budget.service_account === undefined);
      },
    },
    call: (id) => ['PATCH', `/admin/service-accounts/${id('service_account', 'ci')}`, { is_active: false }],
  },
  team_member: {
    change: (tenant) => void Object.assign(first(first(tenant.teams).members?.slice(1)), { role: 'admin' }),
    omit: { name: 'ben@acme.test in Platform', from: (tenant) => void first(tenant.teams).members?.pop() },
    call: (id) => ['DELETE', `/admin/teams/${id('team', 'Platform')}/members/${id('user', 'ben@acme.test')}`],
  },
  identity_provider: {
    change: (tenant) => void Object.assign(first(tenant.identity_providers), { default_role: null }),
    omit: { name: 'Login', from: (tenant) => void Object.assign(tenant, { identity_providers: [] }) },
    call: (id) => [
      'PUT',
      `/admin/identity-providers/${id('identity_provider', 'Login')}`,
      { is_enabled: false },
    ],
  },
  sign_in_policy: {
    change: (tenant) => void Object.assign(tenant.sign_in_policy ?? {}, { session_hours: 8 }),
    call: () => ['PUT', '/admin/sign-in-policy', { session_hours: 9 }],
  },
  provider: {
    change: (tenant) => void Object.assign(first(tenant.providers), { total_timeout_ms: 30_000 }),
    omit: {
      name: 'Spare',
      from: (tenant) => void tenant.providers.pop(),
    },
    call: (id) => ['PUT', `/llm-providers/${id('provider', 'Main')}`, { is_active: false }],
  },
  price: {
    change: (tenant) =>
      void Object.assign(first(first(tenant.providers).prices), { price: { input: 3, output: 8 } }),
    omit: {
      name: 'gpt-4o of Main',
      from: (tenant) => void Object.assign(first(tenant.providers), { prices: [] }),
    },
    call: (id) => [
      'PUT',
      '/credits/pricing',
      { llm_provider_id: id('provider', 'Main'), model: 'gpt-4o', price: { input: 1, output: 1 } },
    ],
  },
  fallback_order: {
    change: (tenant) => void Object.assign(tenant, { fallback_order: ['Main', 'Own'] }),
    call: (id) => [
      'PUT',
      '/llm-providers/fallback-order',
      { llm_provider_ids: [id('provider', 'Main'), id('provider', 'Own')] },
    ],
  },
  user_grant: {
    change: (tenant) => void Object.assign(first(tenant.user_grants), { models: ['gpt-4o', 'gpt-4o-mini'] }),
    omit: { name: 'ben@acme.test at Main', from: (tenant) => void tenant.user_grants.shift() },
    call: (id) => [
      'DELETE',
      `/admin/provider-access/users/${id('user', 'ben@acme.test')}/providers/${id('provider', 'Main')}`,
    ],
  },
  team_grant: {
    change: (tenant) => void Object.assign(first(tenant.team_grants), { models: ['gpt-4o'] }),
    omit: { name: 'Platform at Main', from: (tenant) => void Object.assign(tenant, { team_grants: [] }) },
    call: (id) => [
      'PUT',
      `/admin/provider-access/teams/${id('team', 'Platform')}/providers/${id('provider', 'Main')}`,
      { allowed_models: ['gpt-4o'] },
    ],
  },
  blacklist_entry: {
    change: (tenant) => void Object.assign(first(tenant.blacklist), { reason: 'Not needed' }),
    omit: { name: 'openai: o1*', from: (tenant) => void Object.assign(tenant, { blacklist: [] }) },
    call: (id) => ['DELETE', `/admin/blacklist/${id('blacklist_entry', 'openai: o1*')}`],
  },
  task: {
    change: (tenant) =>
      void Object.assign(first(tenant.tasks), { description: 'Write tests for the console' }),
    omit: { name: 'Write tests #2', from: (tenant) => void tenant.tasks.pop() },
    call: (id) => [
      'PUT',
      `/admin/tasks/${id('task', 'Write tests')}`,
      { description: 'Another description' },
    ],
  },
  task_assignment: {
    omit: {
      name: 'Write tests for ben@acme.test',
      from: (tenant) => void Object.assign(first(tenant.tasks), { assigned_to: [] }),
    },
    call: (id) => [
      'DELETE',
      `/admin/task-assignments/${id('task_assignment', 'Write tests for ben@acme.test')}`,
    ],
  },
  api_access_task: {
    omit: { name: 'cy@acme.test', from: (tenant) => void Object.assign(tenant, { api_access_tasks: [] }) },
    call: (id) => ['DELETE', `/admin/tasks/${id('api_access_task', 'cy@acme.test')}`],
  },
  budget: {
    change: (tenant) => void Object.assign(first(tenant.budgets), { limit: 600 }),
    omit: { name: 'team Platform: usd per month', from: (tenant) => void tenant.budgets.splice(1, 1) },
    call: (id) => ['PUT', `/admin/budgets/${id('budget', 'organization: usd per month')}`, { limit: 1 }],
  },
  default_budget: {
    change: (tenant) => void Object.assign(first(tenant.default_budgets), { limit: 30 }),
    omit: { name: 'members of Platform: usd per month', from: (tenant) => void tenant.default_budgets.pop() },
    call: (id) => [
      'PUT',
      `/admin/budget-defaults/${id('default_budget', 'every user: usd per month')}`,
      { limit: 1 },
    ],
  },
};
