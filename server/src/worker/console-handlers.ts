import { createAnalyticsHandlers } from '#console/analytics/routes.ts';
import { createApiKeysHandlers } from '#console/api-keys/routes.ts';
import { createAuditLogHandlers } from '#console/audit-log/routes.ts';
import type { LogInDeps } from '#console/auth/log-in.ts';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createBillingHandlers } from '#console/billing/routes.ts';
import { createBlacklistHandlers } from '#console/blacklist/routes.ts';
import { createBudgetRaiseRequestsHandlers } from '#console/budget-raise-requests/routes.ts';
import { createBudgetDefaultsHandlers } from '#console/budgets/default-routes.ts';
import { createBudgetsHandlers } from '#console/budgets/routes.ts';
import { createChatsHandlers } from '#console/chats/routes.ts';
import type { ChatRuns } from '#console/chats/runs.ts';
import { createSetMarkup } from '#console/credits/change-settings.ts';
import { createCreditsHandlers } from '#console/credits/routes.ts';
import { createDomainsHandlers } from '#console/domains/routes.ts';
import { createFirstStepsHandlers } from '#console/first-steps/routes.ts';
import { createGovernanceHandlers } from '#console/governance/routes.ts';
import type { CheckIssuerDeps } from '#console/identity-providers/check-issuer.ts';
import { createIdentityProvidersHandlers } from '#console/identity-providers/routes.ts';
import { createInvitationsHandlers, type InvitationsDeps } from '#console/invitations/routes.ts';
import { createJobsHandlers } from '#console/jobs/routes.ts';
import { createLabelsHandlers } from '#console/labels/routes.ts';
import { createLitellmHandlers } from '#console/litellm/routes.ts';
import { createLlmComparisonHandlers } from '#console/llm-comparison/routes.ts';
import { createComparisonRuns } from '#console/llm-comparison/runs.ts';
import { createLlmProvidersHandlers } from '#console/llm-providers/routes.ts';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createManagedObjectsHandlers } from '#console/managed-objects/routes.ts';
import { createManagementTokensHandlers } from '#console/management-tokens/routes.ts';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import type { ResetDeps } from '#console/password-resets/reset.ts';
import { createPasswordResetsHandlers } from '#console/password-resets/routes.ts';
import { createPaymentMethodsHandlers } from '#console/payment-methods/routes.ts';
import { createPaymentsHandlers } from '#console/payments/routes.ts';
import { createPortalHandlers } from '#console/portal/routes.ts';
import { createPreferencesHandlers } from '#console/preferences/routes.ts';
import { createPromptReadsHandlers } from '#console/prompt-reads/routes.ts';
import { createProviderAccessHandlers } from '#console/provider-access/routes.ts';
import { createProviderRegistryHandlers } from '#console/provider-registry/routes.ts';
import { createQuotaStatusHandlers } from '#console/quota-status/routes.ts';
import { createRecentUseHandlers } from '#console/recent-use/routes.ts';
import { createRolesHandlers } from '#console/roles/routes.ts';
import { createScimTokensHandlers } from '#console/scim-tokens/routes.ts';
import { createSecondFactorHandlers, type SecondFactorDeps } from '#console/second-factor/routes.ts';
import { createSetSuperAdminFactor } from '#console/second-factor/super-admin-rule.ts';
import { createServiceAccountsHandlers } from '#console/service-accounts/routes.ts';
import { createSettingsHandlers } from '#console/settings/routes.ts';
import { createShadowRunsHandlers } from '#console/shadow-runs/routes.ts';
import { createSignInPolicyHandlers } from '#console/sign-in-policy/routes.ts';
import { createSignInsHandlers } from '#console/sign-ins/routes.ts';
import { createSignedInToolsHandlers } from '#console/signed-in-tools/routes.ts';
import { createSignupHandlers, type SignupDeps } from '#console/signup/routes.ts';
import { createStatementsHandlers } from '#console/statements/routes.ts';
import { createSubscriptionsHandlers } from '#console/subscriptions/routes.ts';
import { createSystemHandlers, type SystemDeps } from '#console/system/routes.ts';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import { createTeamsHandlers } from '#console/teams/routes.ts';
import { createTenantsHandlers } from '#console/tenants/routes.ts';
import { createUserIdentitiesHandlers } from '#console/user-identities/routes.ts';
import { countUsersNearLimit } from '#console/users/near-limits.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createWebhooksHandlers } from '#console/webhooks/routes.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { ConsoleHandlers } from '#http/register-console-routes.ts';
import type { IntentModel } from '#intent/model.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createOpenIdClient } from '#openid/openid-client.ts';
import type { Payments } from '#payments/find-provider.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import type { WorkerBoot } from '#supervisor/messages.ts';
import type { CircuitBreaker } from '#upstream/circuit-breaker.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';

export interface HandlersDeps {
  readonly boot: WorkerBoot;
  readonly intentModel: IntentModel;
  readonly keyring: Keyring;
  readonly system: SystemDatabase;
  readonly payments: Payments;
  readonly upstream: UpstreamClient;
  readonly circuits: CircuitBreaker;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
  /** Aborts when console runs must save their results. */
  readonly runsEnd: AbortSignal;
  readonly operation: Omit<SystemDeps, 'metricsToken' | 'dataDir'>;
  readonly chatRuns: ChatRuns;
  /** Database clock shared by all nodes. The lifetimes of sessions, links and sign-in attempts depend on it. */
  readonly databaseClock: Clock;
}

const budgetHandlers = {
  budgets: createBudgetsHandlers(),
  budgetDefaults: createBudgetDefaultsHandlers(),
  budgetRaiseRequests: createBudgetRaiseRequestsHandlers(),
};

export function createHandlers(deps: HandlersDeps): ConsoleHandlers {
  const { boot, intentModel, keyring, system, upstream, circuits, log, running } = deps;
  const comparisons = createComparisonRuns(deps.runsEnd, log);
  running.defer(comparisons.whenEnded);
  running.defer(deps.chatRuns.whenEnded);
  const passwords = createPasswordHasher();
  const accounts = { database: system, keyring, passwords, clock: deps.databaseClock };
  const checkUrl = (url: string) =>
    checkEndpointUrl(url, { allowPrivate: boot.config.canReachPrivateEndpoints });
  const hasServer = boot.config.mail !== null;
  const mailbox = createMailbox({ keyring, hasServer });
  const byMail = { ...accounts, mailbox, publicUrl: boot.config.http.publicUrl };
  return {
    ...createAccountHandlers({ ...byMail, hasMailServer: hasServer }),
    ...createSignInHandlers(deps, { ...byMail, checkEndpointUrl: checkUrl }),
    users: createUsersHandlers({ passwords }),
    roles: createRolesHandlers(),
    ...createCredentialHandlers(deps),
    providerRegistry: createProviderRegistryHandlers({ system, checkEndpointUrl: checkUrl }),
    llmProviders: createLlmProvidersHandlers({
      keyring,
      checkEndpointUrl: checkUrl,
      upstream,
      sandboxOrigin: boot.sandboxOrigin,
    }),
    providerAccess: createProviderAccessHandlers({ keyring, circuits }),
    blacklist: createBlacklistHandlers(),
    ...budgetHandlers,
    chats: createChatsHandlers({ runs: deps.chatRuns }),
    llmComparison: createLlmComparisonHandlers({ runs: comparisons }),
    teams: createTeamsHandlers(),
    invitations: createInvitationsHandlers(byMail),
    outbox: createOutboxHandlers({ ...byMail, hasServer }),
    tasks: createTasksHandlers(),
    governance: createGovernanceHandlers({ intentModel }),
    quotaStatus: createQuotaStatusHandlers(),
    portal: createPortalHandlers(),
    preferences: createPreferencesHandlers(),
    logs: createLogsHandlers(),
    analytics: createAnalyticsHandlers({ countUsersNearLimit }),
    auditLog: createAuditLogHandlers(),
    promptReads: createPromptReadsHandlers(),
    ...createConfigurationHandlers(system),
    ...createMoneyHandlers(deps),
    ...createTenantHandlers(deps, byMail),
    firstSteps: createFirstStepsHandlers(),
    recentUse: createRecentUseHandlers(),
    ...createOperationHandlers(deps),
  };
}

function createCredentialHandlers({ keyring, boot }: HandlersDeps) {
  return {
    serviceAccounts: createServiceAccountsHandlers(),
    apiKeys: createApiKeysHandlers({ keyring }),
    litellm: createLitellmHandlers({ keyring }),
    managementTokens: createManagementTokensHandlers({ keyring }),
    scimTokens: createScimTokensHandlers({ keyring, publicUrl: boot.config.http.publicUrl }),
  };
}

function createSignInHandlers(
  { boot, keyring, upstream }: HandlersDeps,
  byMail: InvitationsDeps & Pick<LogInDeps, 'keyring'> & Pick<CheckIssuerDeps, 'checkEndpointUrl'>,
) {
  const { canReachPrivateEndpoints } = boot.config;
  const signIns = { ...byMail, openid: createOpenIdClient({ upstream }) };
  return {
    signIns: createSignInsHandlers(signIns),
    signedInTools: createSignedInToolsHandlers({ ...byMail, keyring }),
    identityProviders: createIdentityProvidersHandlers({ ...signIns, canReachPrivateEndpoints }),
    domains: createDomainsHandlers({ system: byMail.database }),
    signInPolicy: createSignInPolicyHandlers(),
    userIdentities: createUserIdentitiesHandlers(),
  };
}

function createAccountHandlers(deps: ResetDeps & SecondFactorDeps) {
  return {
    auth: createAuthHandlers(deps),
    passwordResets: createPasswordResetsHandlers(deps),
    secondFactor: createSecondFactorHandlers(deps),
  };
}

function createConfigurationHandlers(system: SystemDatabase) {
  return {
    managedObjects: createManagedObjectsHandlers(),
    settings: createSettingsHandlers({
      setMarkup: createSetMarkup(system),
      setSuperAdminFactor: createSetSuperAdminFactor(system),
      clock: systemClock,
    }),
  };
}

function createOperationHandlers({ boot, system, operation }: HandlersDeps) {
  const { dataDir, metricsToken } = boot.config;
  return {
    jobs: createJobsHandlers({ system }),
    shadowRuns: createShadowRunsHandlers(),
    system: createSystemHandlers({ ...operation, metricsToken, dataDir }),
  };
}

function createMoneyHandlers({ boot, system, payments }: HandlersDeps) {
  const { isSignupOpen } = boot.config;
  return {
    credits: createCreditsHandlers({ system }),
    billing: createBillingHandlers({ system }),
    payments: createPaymentsHandlers({ system, payments, isSignupOpen, clock: systemClock }),
    paymentMethods: createPaymentMethodsHandlers({ system, provider: payments.provider }),
    subscriptions: createSubscriptionsHandlers({ system, provider: payments.provider }),
    webhooks: createWebhooksHandlers({ system, provider: payments.provider }),
    labels: createLabelsHandlers(),
    statements: createStatementsHandlers(),
  };
}

function createTenantHandlers(
  { boot, system, payments, log }: HandlersDeps,
  byMail: InvitationsDeps & Pick<SignupDeps, 'passwords'>,
) {
  const { isSignupOpen, isSandboxEnabled: hasSandbox } = boot.config;
  const { provider } = payments;
  return {
    tenants: createTenantsHandlers({ ...byMail, system, hasSandbox }),
    signup: createSignupHandlers({
      ...byMail,
      hasMailServer: boot.config.mail !== null,
      system,
      provider,
      isSignupOpen,
      hasSandbox,
      log,
    }),
  };
}
