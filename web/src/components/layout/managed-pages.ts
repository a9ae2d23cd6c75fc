/**
 * Pages below `/admin` that name the configuration file of their objects. Other pages name the file when a change is
 * rejected.
 */
export const managedPages = [
  'users',
  'teams',
  'service-accounts',
  'provider-access',
  'blacklist',
  'budgets',
  'tasks',
  'llm-providers',
  'identity-providers',
] as const;

export type ManagedPage = (typeof managedPages)[number];
