import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type Client, contract, describeOpenapi, pathOf, type RouteRow } from './index.ts';

const rows = Object.values(contract).flatMap((routes) => Object.entries<RouteRow>(routes));

describe('the contract', () => {
  it('RouteRow does not compile without a permission', () => {
    expectTypeOf<{
      method: 'GET';
      path: '/x';
      surface: 'public';
      summary: string;
      response: z.ZodString;
    }>().not.toExtend<RouteRow>();
  });

  it('each route has a unique name and a unique combination of method and path', () => {
    const names = rows.map(([name]) => name);
    const places = rows.map(([, row]) => `${row.method} ${pathOf(row)}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(places).size).toBe(places.length);
  });

  it('each route declares a schema for every parameter in its path', () => {
    for (const [name, row] of rows) {
      const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(Object.keys(row.request?.params?.shape ?? {}), name).toEqual(inPath);
    }
  });

  it('management routes reject query parameters that they do not declare', () => {
    for (const [name, row] of rows) {
      // Identity providers may add parameters to a redirect.
      if (row.surface !== 'management' || !row.request?.query || name === 'receiveRedirect') continue;
      const { error } = row.request.query.safeParse({ unlisted: '1' });
      expect(error?.issues, name).toContainEqual(
        expect.objectContaining({ code: 'unrecognized_keys', keys: ['unlisted'] }),
      );
    }
  });

  /** These POST routes create nothing, or repeating them has no further effect. */
  const withoutKey: Readonly<Record<string, readonly string[]>> = {
    'clients without a session: limited attempts, and links that work once': [
      'login',
      'completeSignIn',
      'startPasskeySignIn',
      'finishPasskeySignIn',
      'requestPasswordReset',
      'resetPassword',
      'acceptInvitation',
      'createSetupIntent',
      'startSignIn',
      'finishSignIn',
      'receiveBackchannelLogout',
      'authorizeDevice',
      'issueToolToken',
    ],
    'only reads': [
      'findPendingTool',
      'testLlmProvider',
      'testSavedLlmProvider',
      'checkBlacklist',
      'previewGovernance',
      'replayPolicy',
      'testIdentityProvider',
      'finishIdentityProviderTest',
      'previewBudgetDefault',
      'replayBudget',
    ],
    'verifies the password, or replaces a previous attempt': ['confirmPassword', 'startTotp', 'startPasskey'],
    'works once, and returns a token and codes that must not be stored': [
      'confirmTotp',
      'addPasskey',
      'renewRecoveryCodes',
    ],
    'identified by a code that works once': ['allowTool', 'denyTool', 'revokeToolToken'],
    'sets a state': [
      'logout',
      'confirmDomain',
      'confirmUserIdentity',
      'changeOwnPassword',
      'blockUser',
      'unblockUser',
      'changeUserPassword',
      'endApiKeyOverlap',
      'endKeyOverlap',
      'updateLitellmKey',
      'deleteLitellmKeys',
      'blockLitellmKey',
      'voteOnComparison',
      'stopChat',
      'chooseChatBranch',
      'decideAppeal',
      'decideRaiseRequest',
      'reopenAppeal',
      'retryMail',
      'retryFailedWebhooks',
      'runJob',
      'cancelSubscription',
      'cancelTenantSubscription',
    ],
    'charges only an unpaid amount': ['paySubscription'],
    'returns the outcome of each item': ['grantUserAccesses', 'grantTeamAccesses'],
    'identified by its payment or event': [
      'confirmPayment',
      'paySimulated',
      'authenticateSimulated',
      'confirmSimulatedSetup',
      'authenticateSimulatedSetup',
      'receiveStripeEvent',
    ],
    'identified by its link or email address, and limited': ['confirmSignup', 'resendSignupConfirmation'],
  };

  it('each POST route that creates or spends accepts an idempotency key', () => {
    const posts = rows.filter(([, row]) => row.method === 'POST' && row.surface === 'management');
    const keyless = posts.filter(([, row]) => !row.idempotent).map(([name]) => name);
    expect(keyless.toSorted()).toEqual(Object.values(withoutKey).flat().toSorted());
  });

  it('Client derives the types of a call from its route', () => {
    type Users = Client<typeof contract.users>;
    expectTypeOf<Parameters<Users['createUser']>[0]>().toHaveProperty('body');
    expectTypeOf<Awaited<ReturnType<Users['listUsers']>>[number]['email']>().toEqualTypeOf<string>();
  });
});

describe('the OpenAPI document', () => {
  const document = describeOpenapi(contract, '0.1.0');

  it('describeOpenapi includes every route with its permission', () => {
    const paths = z
      .record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() })))
      .parse(document.paths);
    for (const [name, row] of rows) {
      const operation = paths[pathOf(row)]?.[row.method.toLowerCase()];
      expect(operation).toMatchObject({ operationId: name, 'x-permission': row.permission });
    }
  });

  it('describeOpenapi returns plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
