import { grantTypes, pathOf, signedInToolsRoutes } from '@sluice/contract';
import { createAccountThrottle, createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { authorizeDevice, type SignedInToolsDeps } from './authorize-device.ts';
import { allowTool, denyTool, findPendingTool } from './confirm.ts';
import { issueToolToken, revokeToolToken } from './issue-token.ts';
import {
  listSignedInTools,
  listUserSignedInTools,
  revokeSignedInTool,
  revokeUserSignedInTool,
} from './list.ts';

export function createSignedInToolsHandlers(deps: SignedInToolsDeps): Handlers<typeof signedInToolsRoutes> {
  const { database, clock } = deps;
  const codes = createAddressThrottle(database, clock, {
    subject: 'device-code',
    noun: 'requests for codes',
  });
  const tokens = createAddressThrottle(database, clock, { subject: 'tool-token', noun: 'unknown tokens' });
  const kind = { subject: 'user-code', noun: 'wrong codes' };
  const guesses = {
    users: createAccountThrottle(database, clock, kind),
    addresses: createAddressThrottle(database, clock, { ...kind, subject: 'user-code-address' }),
  };
  return {
    getOAuthMetadata: outside('needs no transaction', async () => describeServer(deps)),
    authorizeDevice: outside('counts attempts', (ctx, { form }) => authorizeDevice(deps, codes, ctx, form)),
    issueToolToken: outside('counts attempts', (ctx, { form }) => issueToolToken(deps, tokens, ctx, form)),
    revokeToolToken: outside('counts attempts', (ctx, { form }) =>
      revokeToolToken(deps, tokens, ctx, form.token),
    ),
    findPendingTool: outside('counts attempts', (ctx, { body }) =>
      findPendingTool(deps, guesses, ctx, body.user_code),
    ),
    allowTool: outside('counts attempts', (ctx, { body }) => allowTool(deps, guesses, ctx, body)),
    denyTool: outside('counts attempts', (ctx, { body }) => denyTool(deps, guesses, ctx, body.user_code)),
    listSignedInTools: read(listSignedInTools),
    revokeSignedInTool: write(revokeSignedInTool, ({ params }) => params.id),
    listUserSignedInTools: read(listUserSignedInTools, ({ params }) => params.id),
    revokeUserSignedInTool: write(revokeUserSignedInTool, ({ params }) => ({
      userId: params.id,
      toolId: params.toolId,
    })),
  };
}

/** Returns the server metadata (RFC 8414). */
function describeServer({ publicUrl }: SignedInToolsDeps) {
  const base = publicUrl.replace(/\/$/, '');
  const { authorizeDevice: codes, issueToolToken: tokens, revokeToolToken: revocation } = signedInToolsRoutes;
  return {
    issuer: base,
    device_authorization_endpoint: base + pathOf(codes),
    token_endpoint: base + pathOf(tokens),
    revocation_endpoint: base + pathOf(revocation),
    grant_types_supported: Object.values(grantTypes),
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}
