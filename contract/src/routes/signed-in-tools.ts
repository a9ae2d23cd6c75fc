import { z } from 'zod';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { id, idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** The query parameter `user_code` contains the code. */
export const devicePagePath = '/device';

/** Error codes of RFC 6749, 5.2 and RFC 8628, 3.5. */
export const oauthErrors = [
  'invalid_request',
  'invalid_grant',
  'unsupported_grant_type',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'temporarily_unavailable',
  'server_error',
] as const;

export type OAuthErrorCode = (typeof oauthErrors)[number];

export const grantTypes = {
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
  refreshToken: 'refresh_token',
} as const;

/** Other tools are displayed by id. */
export const toolNames: Readonly<Record<string, string>> = { 'sluice-cli': 'Sluice command line' };

/** Vowels are excluded because they would form words (RFC 8628, 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
export const userCodeLength = 8;

/** Returns the letters of a code in upper case, without all other characters. */
export const foldUserCode = (typed: string) => typed.toUpperCase().replace(/[^A-Z]/g, '');

/** Formats `WDJBMJHT` as `WDJB-MJHT`. */
export const formatUserCode = (letters: string) => `${letters.slice(0, 4)}-${letters.slice(4)}`;

const userCode = z
  .string('User code is required')
  .max(40, 'A user code must have 8 letters')
  .overwrite(foldUserCode)
  .refine((code) => code.length === userCodeLength, 'A user code must have 8 letters');

const codeBody = z.strictObject({ user_code: userCode });

const line = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((text) => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim());

const clientId = line(100);
const secret = z.string().min(1).max(200);

export const pendingTool = z.object({
  user_code: z.string(),
  /** The tool sends its own name, which is not verified. */
  tool_name: z.string(),
  device_name: z.string(),
  address: z.string(),
  user_agent: z.string(),
  requested_at: instant,
  expires_at: instant,
  /** Expiry of the current session. The tool is signed out at this time at the latest. */
  access_ends_at: instant,
  tasks: z.array(
    z.object({
      /** Id of the assignment. */
      id: z.number().int(),
      title: z.string(),
      is_requested: z.boolean(),
    }),
  ),
});

export type PendingTool = z.infer<typeof pendingTool>;

export const signedInTool = z.object({
  id: z.number().int(),
  tool_name: z.string(),
  device_name: z.string(),
  address: z.string(),
  user_agent: z.string(),
  task_id: z.number().int(),
  task_title: z.string(),
  created_at: instant,
  /** Time of the last key renewal. `null` before the first key. */
  last_used_at: instant.nullable(),
  last_used_address: z.string().nullable(),
  expires_at: instant,
});

export type SignedInTool = z.infer<typeof signedInTool>;

export const deviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  /** In seconds. */
  expires_in: z.number().int(),
  /** Between two polls, in seconds. */
  interval: z.number().int(),
});

export const toolToken = z.object({
  /** A task key. */
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** In seconds. */
  expires_in: z.number().int(),
  refresh_token: z.string(),
  task: z.object({ id: z.number().int(), title: z.string() }),
  user: z.object({ name: z.string(), email: z.string() }),
});

export type ToolToken = z.infer<typeof toolToken>;

const metadata = z.object({
  issuer: z.string(),
  device_authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  grant_types_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
});

const open = { surface: 'management', permission: 'anyone', base: '' } as const;
const own = {
  surface: 'management',
  permission: 'account.read',
  refusesTokens: true,
} as const;

export const signedInToolsRoutes = defineRoutes({
  getOAuthMetadata: {
    ...open,
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the OAuth metadata for signing in tools (RFC 8414)',
    response: metadata,
  },
  authorizeDevice: {
    ...open,
    method: 'POST',
    path: '/oauth/device_authorization',
    summary: 'Request a device code and a user code for a tool (RFC 8628)',
    request: {
      form: z.object({
        client_id: clientId.default(''),
        device_name: z.string().max(100).refine(isPlainLine, notPlainLine('device_name')).default(''),
        /** Title of the preselected task. */
        task: line(200).optional(),
      }),
    },
    response: deviceAuthorization,
  },
  issueToolToken: {
    ...open,
    method: 'POST',
    path: '/oauth/token',
    summary:
      'Exchange an allowed device code, or a refresh token, for a task key and the next refresh token (RFC 8628, RFC 6749)',
    request: {
      form: z.object({
        grant_type: z.string('grant_type is missing').min(1, 'grant_type is missing').max(200),
        client_id: clientId.default(''),
        device_code: secret.optional(),
        refresh_token: secret.optional(),
      }),
    },
    response: toolToken,
  },
  revokeToolToken: {
    ...open,
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Sign out a tool by its refresh token or its task key (RFC 7009)',
    request: { form: z.object({ token: z.string('token is missing').min(1, 'token is missing').max(200) }) },
    response: z.object({}),
  },
  findPendingTool: {
    ...own,
    method: 'POST',
    path: '/user/signed-in-tools/find',
    summary: 'Get the tool that requested a user code',
    request: { body: codeBody },
    response: pendingTool,
  },
  allowTool: {
    ...own,
    // This permission excludes blocked users, who may only view their account.
    permission: 'completions.create',
    inOwnTenant: true,
    method: 'POST',
    path: '/user/signed-in-tools/allow',
    summary: "Sign in the tool of a user code for one of the caller's assignments; works once",
    request: { body: codeBody.extend({ task_id: id }) },
    response: signedInTool,
  },
  denyTool: {
    ...own,
    method: 'POST',
    path: '/user/signed-in-tools/deny',
    summary: 'Deny the tool of a user code',
    request: { body: codeBody },
    response: z.void(),
    status: 204,
  },
  listSignedInTools: {
    ...own,
    method: 'GET',
    path: '/user/signed-in-tools',
    summary: "List the caller's signed-in tools, newest first",
    response: z.array(signedInTool),
  },
  revokeSignedInTool: {
    ...own,
    method: 'DELETE',
    path: '/user/signed-in-tools/{id}',
    summary: "Sign out one of the caller's tools and revoke its keys",
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
  listUserSignedInTools: {
    surface: 'management',
    permission: 'users.read',
    method: 'GET',
    path: '/admin/users/{id}/signed-in-tools',
    summary: "List a user's signed-in tools, newest first",
    request: { params: idParams },
    response: z.array(signedInTool),
  },
  revokeUserSignedInTool: {
    surface: 'management',
    permission: 'api_keys.write',
    method: 'DELETE',
    path: '/admin/users/{id}/signed-in-tools/{toolId}',
    summary: "Sign out a user's tool and revoke its keys",
    request: { params: idParams.extend({ toolId: id }) },
    response: z.void(),
    status: 204,
  },
});
