import { analyticsRoutes } from './routes/analytics.ts';
import { apiKeysRoutes } from './routes/api-keys.ts';
import { auditLogRoutes } from './routes/audit-log.ts';
import { authRoutes } from './routes/auth.ts';
import { billingRoutes } from './routes/billing.ts';
import { blacklistRoutes } from './routes/blacklist.ts';
import { budgetDefaultsRoutes } from './routes/budget-defaults.ts';
import { budgetRaiseRequestsRoutes } from './routes/budget-raise-requests.ts';
import { budgetsRoutes } from './routes/budgets.ts';
import { chatsRoutes } from './routes/chats.ts';
import { creditsRoutes } from './routes/credits.ts';
import { domainsRoutes } from './routes/domains.ts';
import { firstStepsRoutes } from './routes/first-steps.ts';
import { geminiRoutes } from './routes/gemini.ts';
import { governanceRoutes } from './routes/governance.ts';
import { identityProvidersRoutes } from './routes/identity-providers.ts';
import { invitationsRoutes } from './routes/invitations.ts';
import { labelsRoutes } from './routes/labels.ts';
import { litellmRoutes } from './routes/litellm.ts';
import { llmComparisonRoutes } from './routes/llm-comparison.ts';
import { llmProvidersRoutes } from './routes/llm-providers.ts';
import { logsRoutes } from './routes/logs.ts';
import { managedObjectsRoutes } from './routes/managed-objects.ts';
import { managementTokensRoutes } from './routes/management-tokens.ts';
import { messagesRoutes } from './routes/messages.ts';
import { modelsRoutes } from './routes/models.ts';
import { completionsRoutes, embeddingsRoutes, responsesRoutes, unsupportedRoutes } from './routes/openai.ts';
import { outboxRoutes } from './routes/outbox.ts';
import { passwordResetsRoutes } from './routes/password-resets.ts';
import { paymentMethodsRoutes } from './routes/payment-methods.ts';
import { paymentsRoutes } from './routes/payments.ts';
import { portalRoutes } from './routes/portal.ts';
import { preferencesRoutes } from './routes/preferences.ts';
import { promptReadsRoutes } from './routes/prompt-reads.ts';
import { providerAccessRoutes } from './routes/provider-access.ts';
import { providerRegistryRoutes } from './routes/provider-registry.ts';
import { quotaStatusRoutes } from './routes/quota-status.ts';
import { recentUseRoutes } from './routes/recent-use.ts';
import { requestsRoutes } from './routes/requests.ts';
import { rolesRoutes } from './routes/roles.ts';
import { scimRoutes } from './routes/scim.ts';
import { scimTokensRoutes } from './routes/scim-tokens.ts';
import { secondFactorRoutes } from './routes/second-factor.ts';
import { serviceAccountsRoutes } from './routes/service-accounts.ts';
import { settingsRoutes } from './routes/settings.ts';
import { shadowRunsRoutes } from './routes/shadow-runs.ts';
import { signInPolicyRoutes } from './routes/sign-in-policy.ts';
import { signInsRoutes } from './routes/sign-ins.ts';
import { signedInToolsRoutes } from './routes/signed-in-tools.ts';
import { signupRoutes } from './routes/signup.ts';
import { statementsRoutes } from './routes/statements.ts';
import { subscriptionsRoutes } from './routes/subscriptions.ts';
import { jobsRoutes, systemRoutes } from './routes/system.ts';
import { tasksRoutes } from './routes/tasks.ts';
import { teamsRoutes } from './routes/teams.ts';
import { tenantsRoutes } from './routes/tenants.ts';
import { userIdentitiesRoutes } from './routes/user-identities.ts';
import { usersRoutes } from './routes/users.ts';
import { webhooksRoutes } from './routes/webhooks.ts';

export const contract = {
  auth: authRoutes,
  secondFactor: secondFactorRoutes,
  signup: signupRoutes,
  passwordResets: passwordResetsRoutes,
  users: usersRoutes,
  roles: rolesRoutes,
  apiKeys: apiKeysRoutes,
  managementTokens: managementTokensRoutes,
  serviceAccounts: serviceAccountsRoutes,
  providerRegistry: providerRegistryRoutes,
  llmProviders: llmProvidersRoutes,
  providerAccess: providerAccessRoutes,
  blacklist: blacklistRoutes,
  budgets: budgetsRoutes,
  budgetDefaults: budgetDefaultsRoutes,
  budgetRaiseRequests: budgetRaiseRequestsRoutes,
  llmComparison: llmComparisonRoutes,
  chats: chatsRoutes,
  teams: teamsRoutes,
  invitations: invitationsRoutes,
  jobs: jobsRoutes,
  outbox: outboxRoutes,
  tasks: tasksRoutes,
  governance: governanceRoutes,
  quotaStatus: quotaStatusRoutes,
  portal: portalRoutes,
  preferences: preferencesRoutes,
  requests: requestsRoutes,
  logs: logsRoutes,
  analytics: analyticsRoutes,
  auditLog: auditLogRoutes,
  promptReads: promptReadsRoutes,
  settings: settingsRoutes,
  managedObjects: managedObjectsRoutes,
  identityProviders: identityProvidersRoutes,
  domains: domainsRoutes,
  signInPolicy: signInPolicyRoutes,
  signIns: signInsRoutes,
  signedInTools: signedInToolsRoutes,
  userIdentities: userIdentitiesRoutes,
  credits: creditsRoutes,
  billing: billingRoutes,
  payments: paymentsRoutes,
  paymentMethods: paymentMethodsRoutes,
  subscriptions: subscriptionsRoutes,
  webhooks: webhooksRoutes,
  tenants: tenantsRoutes,
  completions: completionsRoutes,
  responses: responsesRoutes,
  messages: messagesRoutes,
  gemini: geminiRoutes,
  embeddings: embeddingsRoutes,
  models: modelsRoutes,
  unsupported: unsupportedRoutes,
  firstSteps: firstStepsRoutes,
  recentUse: recentUseRoutes,
  system: systemRoutes,
  labels: labelsRoutes,
  statements: statementsRoutes,
  shadowRuns: shadowRunsRoutes,
  scimTokens: scimTokensRoutes,
  scim: scimRoutes,
  litellm: litellmRoutes,
};

export type Contract = typeof contract;

export * from './api-key-limits.ts';
export * from './bulk.ts';
export * from './client.ts';
export * from './decimal-number.ts';
export * from './describe-field-problem.ts';
export * from './email.ts';
export * from './errors.ts';
export * from './exports.ts';
export * from './fields.ts';
export * from './fold-text.ts';
export * from './ids.ts';
export * from './labels.ts';
export { budgetDurationOf, windowOfBudgetDuration } from './litellm-fields.ts';
export * from './log-query/log-query.ts';
export * from './log-query/parse-log-query.ts';
export * from './management-scopes.ts';
export * from './money.ts';
export * from './openapi.ts';
export * from './pagination.ts';
export * from './permissions.ts';
export * from './provider-names.ts';
export * from './route.ts';
export { newIdempotencyKey } from './route.ts';
export * from './routes/analytics.ts';
export * from './routes/api-keys.ts';
export * from './routes/audit-log.ts';
export * from './routes/auth.ts';
export * from './routes/billing.ts';
export * from './routes/blacklist.ts';
export * from './routes/budget-defaults.ts';
export * from './routes/budget-raise-requests.ts';
export * from './routes/budgets.ts';
export * from './routes/chats.ts';
export * from './routes/credits.ts';
export * from './routes/domains.ts';
export * from './routes/fallback-drill.ts';
export * from './routes/first-steps.ts';
export * from './routes/gemini.ts';
export * from './routes/governance.ts';
export * from './routes/identity-providers.ts';
export * from './routes/invitations.ts';
export * from './routes/labels.ts';
export * from './routes/litellm.ts';
export * from './routes/llm-comparison.ts';
export * from './routes/llm-providers.ts';
export * from './routes/logs.ts';
export * from './routes/managed-objects.ts';
export * from './routes/management-tokens.ts';
export * from './routes/messages.ts';
export * from './routes/models.ts';
export * from './routes/openai.ts';
export * from './routes/outbox.ts';
export * from './routes/password-resets.ts';
export * from './routes/payment-methods.ts';
export * from './routes/payments.ts';
export * from './routes/portal.ts';
export * from './routes/preferences.ts';
export * from './routes/pricing.ts';
export * from './routes/prompt-reads.ts';
export * from './routes/provider-access.ts';
export * from './routes/provider-registry.ts';
export * from './routes/provider-timeouts.ts';
export * from './routes/quota-status.ts';
export * from './routes/recent-use.ts';
export * from './routes/requests.ts';
export * from './routes/roles.ts';
export * from './routes/scim.ts';
export * from './routes/scim-tokens.ts';
export * from './routes/second-factor.ts';
export * from './routes/service-accounts.ts';
export * from './routes/settings.ts';
export * from './routes/shadow-runs.ts';
export * from './routes/sign-in-policy.ts';
export * from './routes/sign-ins.ts';
export * from './routes/signed-in-tools.ts';
export * from './routes/signup.ts';
export * from './routes/statements.ts';
export * from './routes/subscriptions.ts';
export * from './routes/system.ts';
export * from './routes/tasks.ts';
export * from './routes/teams.ts';
export * from './routes/tenants.ts';
export * from './routes/user-identities.ts';
export * from './routes/users.ts';
export * from './routes/webhooks.ts';
export * from './to-csv.ts';
export * from './unready-reasons.ts';
