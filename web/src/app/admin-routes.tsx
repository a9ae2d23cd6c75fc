import { createRoute, redirect } from '@tanstack/react-router';
import { analyticsSearch } from '../features/analytics/search.ts';
import { auditSearch } from '../features/audit-log/search.ts';
import { blacklistSearch } from '../features/blacklist/search.ts';
import { budgetsSearch } from '../features/budgets/search.ts';
import { comparisonSearch } from '../features/llm-comparison/search.ts';
import { llmProvidersSearch } from '../features/llm-providers/search.ts';
import { logsSearch } from '../features/logs/search.ts';
import { managementTokensSearch } from '../features/management-tokens/search.ts';
import { outboxSearch } from '../features/outbox/search.ts';
import { accessSearch } from '../features/provider-access/search.ts';
import { serviceAccountsSearch } from '../features/service-accounts/search.ts';
import { shadowRunsSearch } from '../features/shadow-runs/search.ts';
import { statementsSearch } from '../features/statements/search.ts';
import { tasksSearch } from '../features/tasks/search.ts';
import { teamsSearch } from '../features/teams/search.ts';
import { tenantCreditsSearch } from '../features/tenant-credits/search.ts';
import { usersSearch } from '../features/users/search.ts';
import { webhookSearch } from '../features/webhook-monitoring/search.ts';
import { mayAdminister } from '../lib/home-path.ts';
import { lazyPage } from '../lib/lazy-page.tsx';
import { signedInRoute } from './root-routes.tsx';

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  beforeLoad: ({ context }) => {
    if (!mayAdminister(context.user)) throw redirect({ to: '/dashboard', replace: true });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  component: lazyPage(() => import('../pages/admin/overview.tsx'), 'OverviewPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  validateSearch: usersSearch,
  beforeLoad: ({ search: { user, ...search } }) => {
    if (user !== undefined)
      throw redirect({ to: '/admin/users', search: { ...search, open: user }, replace: true });
  },
  component: lazyPage(() => import('../pages/admin/users.tsx'), 'UsersPage'),
});

const teamsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams',
  validateSearch: teamsSearch,
  component: lazyPage(() => import('../pages/admin/teams.tsx'), 'TeamsPage'),
});

const tasksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/tasks',
  validateSearch: tasksSearch,
  component: lazyPage(() => import('../pages/admin/tasks.tsx'), 'TasksPage'),
});

const providerAccessRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/provider-access',
  validateSearch: accessSearch,
  component: lazyPage(() => import('../pages/admin/provider-access.tsx'), 'ProviderAccessPage'),
});

const blacklistRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/blacklist',
  validateSearch: blacklistSearch,
  component: lazyPage(() => import('../pages/admin/blacklist.tsx'), 'BlacklistPage'),
});

const budgetsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/budgets',
  validateSearch: budgetsSearch,
  component: lazyPage(() => import('../pages/admin/budgets.tsx'), 'BudgetsPage'),
});

const serviceAccountsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/service-accounts',
  validateSearch: serviceAccountsSearch,
  component: lazyPage(() => import('../pages/admin/service-accounts.tsx'), 'ServiceAccountsPage'),
});

const managementTokensRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/management-tokens',
  validateSearch: managementTokensSearch,
  component: lazyPage(() => import('../pages/admin/management-tokens.tsx'), 'ManagementTokensPage'),
});

const statementsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/statements',
  validateSearch: statementsSearch,
  component: lazyPage(() => import('../pages/admin/statements.tsx'), 'StatementsPage'),
});

const llmComparisonRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/llm-comparison',
  validateSearch: comparisonSearch,
  component: lazyPage(() => import('../pages/admin/llm-comparison.tsx'), 'LlmComparisonPage'),
});

const llmProvidersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/llm-providers',
  validateSearch: llmProvidersSearch,
  component: lazyPage(() => import('../pages/admin/llm-providers.tsx'), 'LlmProvidersPage'),
});

const tenantCreditsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/tenant-credits',
  validateSearch: tenantCreditsSearch,
  component: lazyPage(() => import('../pages/admin/tenant-credits.tsx'), 'TenantCreditsPage'),
});

const webhookMonitoringRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/webhook-monitoring',
  validateSearch: webhookSearch,
  component: lazyPage(() => import('../pages/admin/webhook-monitoring.tsx'), 'WebhookMonitoringPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/logs',
  validateSearch: logsSearch,
  component: lazyPage(() => import('../pages/admin/logs.tsx'), 'LogsPage'),
});

const analyticsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(() => import('../pages/admin/analytics.tsx'), 'AnalyticsPage'),
});

const shadowRunsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/shadow-runs',
  validateSearch: shadowRunsSearch,
  component: lazyPage(() => import('../pages/admin/shadow-runs.tsx'), 'ShadowRunsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/settings',
  component: lazyPage(() => import('../pages/admin/settings.tsx'), 'SettingsPage'),
});

const identityProvidersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/identity-providers',
  component: lazyPage(() => import('../pages/admin/identity-providers.tsx'), 'IdentityProvidersPage'),
});

const outboxRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/outbox',
  validateSearch: outboxSearch,
  component: lazyPage(() => import('../pages/admin/outbox.tsx'), 'OutboxPage'),
});

const statusRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/status',
  component: lazyPage(() => import('../pages/admin/status.tsx'), 'StatusPage'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyPage(() => import('../pages/admin/audit-log.tsx'), 'AuditLogPage'),
});

export const adminRoutes = adminRoute.addChildren([
  overviewRoute,
  usersRoute,
  teamsRoute,
  tasksRoute,
  providerAccessRoute,
  blacklistRoute,
  serviceAccountsRoute,
  managementTokensRoute,
  budgetsRoute,
  statementsRoute,
  llmComparisonRoute,
  llmProvidersRoute,
  tenantCreditsRoute,
  webhookMonitoringRoute,
  logsRoute,
  analyticsRoute,
  shadowRunsRoute,
  settingsRoute,
  identityProvidersRoute,
  outboxRoute,
  statusRoute,
  auditLogRoute,
]);
