import { contract, type RouteRow } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import type { Bound } from '#http/console-route.ts';
import { createHandlers, type HandlersDeps } from './console-handlers.ts';

/** Callable value that has every property, for dependencies and inputs whose content does not matter. */
const anything: never = new Proxy((() => undefined) as never, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '1' : key === 'then' ? undefined : anything),
  apply: () => anything,
});

/** Passwords are hashed before the transaction, so they must be actual strings. */
const body = new Proxy({} as Record<string | symbol, unknown>, {
  get: (_, key) => {
    if (key === 'then') return undefined;
    return ['password', 'administrator_password'].includes(String(key)) ? 'a long pass phrase 7' : anything;
  },
  ownKeys: () => ['password'],
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
});
const given = { params: anything, query: anything, form: anything, body };

const transactions: string[] = [];
const open = (scope: string) => async () => void transactions.push(scope);
const system = { transaction: open('across tenants') };
const ctx = {
  principal: { userId: 1, tenantId: 1, role: 'super_admin' },
  actor: {},
  requestId: 'request',
  inTenant: open('tenant'),
  setHeader: () => undefined,
  readHeader: () => null,
};

const deps = new Proxy({} as Record<string | symbol, unknown>, {
  get: (_, key) => (key === 'system' ? system : key === 'operation' ? { version: '1' } : anything),
});
const handlers = createHandlers(deps as unknown as HandlersDeps);

type Handler = Bound<typeof ctx, typeof given, unknown>;
const rows = Object.entries(handlers).flatMap(([noun, ofNoun]) =>
  Object.entries<unknown>(ofNoun).map(([name, handler]) => {
    const table: Readonly<Record<string, RouteRow>> = contract[noun as keyof typeof contract];
    return { name: `${noun}.${name}`, row: table[name]!, handler: handler as Handler };
  }),
);
const outside = rows.filter(({ handler }) => handler.scope === 'outside');

/** Rows whose handlers open their own transactions, or none. A new row needs a valid reason. */
const expectedOutside = {
  'asks a provider': [
    'llmProviders.testLlmProvider',
    'llmProviders.testSavedLlmProvider',
    'llmProviders.listServiceManagedModels',
    'payments.createPaymentIntent',
    'payments.confirmPayment',
    'payments.paySimulated',
    'payments.authenticateSimulated',
    'payments.createSetupIntent',
    'payments.confirmSimulatedSetup',
    'payments.authenticateSimulatedSetup',
    'paymentMethods.listPaymentMethods',
    'paymentMethods.addPaymentMethod',
    'paymentMethods.removePaymentMethod',
    'paymentMethods.setDefaultPaymentMethod',
    'subscriptions.changeSubscription',
    'subscriptions.cancelSubscription',
    'subscriptions.paySubscription',
    'subscriptions.cancelTenantSubscription',
    'subscriptions.changeTenantSubscription',
    'webhooks.receiveStripeEvent',
    'webhooks.retryFailedWebhooks',
  ],
  'asks an identity provider': [
    'identityProviders.createIdentityProvider',
    'identityProviders.updateIdentityProvider',
    'identityProviders.testIdentityProvider',
    'identityProviders.finishIdentityProviderTest',
  ],
  'changes each item alone': ['providerAccess.grantUserAccesses', 'providerAccess.grantTeamAccesses'],
  'counts attempts': [
    'auth.login',
    'auth.changeOwnPassword',
    'passwordResets.requestPasswordReset',
    'passwordResets.getPasswordReset',
    'passwordResets.resetPassword',
    'secondFactor.completeSignIn',
    'secondFactor.finishPasskeySignIn',
    'secondFactor.confirmPassword',
    'signIns.startSignIn',
    'signIns.redirectToProvider',
    'signIns.finishSignIn',
    'signIns.receiveBackchannelLogout',
    'signedInTools.authorizeDevice',
    'signedInTools.issueToolToken',
    'signedInTools.revokeToolToken',
    'signedInTools.findPendingTool',
    'signedInTools.allowTool',
    'signedInTools.denyTool',
    'invitations.getInvitationDetails',
    'invitations.acceptInvitation',
    'signup.signUp',
    'signup.resendSignupConfirmation',
    'signup.getSignupConfirmation',
    'signup.confirmSignup',
  ],
  'needs no transaction': [
    'passwordResets.getPasswordResetSettings',
    'secondFactor.startPasskeySignIn',
    'signIns.getClientKeys',
    'signedInTools.getOAuthMetadata',
    'litellm.getLitellmLiveness',
    'billing.listPlans',
    'billing.getPlan',
    'payments.getPaymentSetup',
    'signup.getSignupSetup',
    'system.getHealth',
    'system.getReadiness',
    'system.getMetrics',
    'system.getOpenapi',
  ],
  'renews the session': [
    'secondFactor.confirmTotp',
    'secondFactor.removeTotp',
    'secondFactor.addPasskey',
    'secondFactor.removePasskey',
    'secondFactor.renewRecoveryCodes',
  ],
  'runs in the background': [
    'chats.sendChatMessage',
    'chats.regenerateChatAnswer',
    'chats.stopChat',
    'chats.archiveChat',
    'llmComparison.createComparison',
  ],
  'spans two scopes': [
    'signIns.getSignInOptions',
    'signIns.receiveRedirect',
    'signIns.logout',
    'settings.updateSettings',
    'credits.setPrice',
    'system.getStatus',
  ],
  'streams a file': [
    'blacklist.exportBlacklist',
    'outbox.exportMails',
    'portal.exportUserLogs',
    'portal.exportUserData',
    'logs.exportLogs',
    'auditLog.exportAuditEntries',
    'billing.exportBilledTenants',
    'statements.getStatement',
    'shadowRuns.listShadowRequests',
  ],
};

describe('route table of the console', () => {
  it.each(rows.filter(({ handler }) => handler.scope !== 'outside'))(
    '$name opens exactly one transaction, in the scope that its table names',
    async ({ handler }) => {
      transactions.length = 0;
      await handler(ctx, given);
      expect(transactions).toEqual([handler.scope]);
    },
  );

  it('handlers outside of transactions are exactly the listed ones, each with a reason', () => {
    const byReason = Object.groupBy(outside, ({ handler }) => String(handler.reason));
    const names = Object.entries(byReason).map(([reason, some = []]) => [
      reason,
      some.map(({ name }) => name),
    ]);
    expect(Object.fromEntries(names)).toEqual(expectedOutside);
  });

  it('every download is streamed outside of a transaction', () => {
    const downloads = rows.filter(({ row }) => row.download || row.offersFile);
    expect(downloads.length).toBeGreaterThan(5);
    for (const { name, handler } of downloads) expect([name, handler.scope]).toEqual([name, 'outside']);
  });
});
