import { deviceAuthorization, grantTypes, oauthErrors, toolToken } from '@sluice/contract';
import { z } from 'zod';
import { version } from '#platform/version.ts';
import type { Credential } from './credentials.ts';

const clientId = 'sluice-cli';
const timeoutMs = 30_000;

const refusal = z.object({ error: z.enum(oauthErrors), error_description: z.string().default('') });

/** Thrown when an OAuth endpoint of the server rejects a request. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: z.infer<typeof refusal>['error'];

  constructor({ error, error_description: description }: z.infer<typeof refusal>) {
    super(description || error);
    this.code = error;
  }
}

/** Thrown when the server cannot be reached or is busy. A retry may succeed. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway';
}

export interface ToolClient {
  authorize(fields: { device_name: string; task?: string }): Promise<z.infer<typeof deviceAuthorization>>;
  redeem(deviceCode: string): Promise<Credential>;
  renew(refreshToken: string): Promise<Credential>;
  revoke(token: string): Promise<void>;
}

export function createToolClient(url: string): ToolClient {
  const requestToken = async (fields: Record<string, string>) =>
    toCredential(await post(url, '/oauth/token', toolToken, fields));
  return {
    authorize: (fields) => post(url, '/oauth/device_authorization', deviceAuthorization, fields),
    redeem: (code) => requestToken({ grant_type: grantTypes.deviceCode, device_code: code }),
    renew: (token) => requestToken({ grant_type: grantTypes.refreshToken, refresh_token: token }),
    revoke: async (token) => void (await post(url, '/oauth/revoke', z.object({}), { token })),
  };
}

function toCredential({ access_token, expires_in, refresh_token, task, user }: z.infer<typeof toolToken>) {
  const nowMs = Date.now();
  const expires_at = new Date(nowMs + expires_in * 1_000).toISOString();
  return { access_token, issued_at: new Date(nowMs).toISOString(), expires_at, refresh_token, task, user };
}

async function post<Schema extends z.ZodType>(
  url: string,
  path: string,
  schema: Schema,
  fields: Record<string, string>,
): Promise<z.output<Schema>> {
  const body = new URLSearchParams({ client_id: clientId, ...fields });
  const response = await send(`${url}${path}`, body);
  const answer: unknown = await response.json().catch(() => null);
  const parsed = schema.safeParse(answer);
  if (response.ok && parsed.success) return parsed.data;
  const refused = refusal.safeParse(answer);
  if (refused.success && response.status < 500) throw new ToolRefusal(refused.data);
  if (response.status >= 500) {
    throw new ServerAway(`${url} is not available at the moment (HTTP ${response.status}). Try again later.`);
  }
  throw new Error(
    `${url} is not a Sluice installation that tools can sign in to (HTTP ${response.status}). Check --url.`,
  );
}

async function send(url: string, body: URLSearchParams): Promise<Response> {
  try {
    // Redirects are not followed, since a redirect would send the token to another server.
    return await fetch(url, {
      method: 'POST',
      body,
      headers: { 'user-agent': `sluice/${version}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new ServerAway(`${new URL(url).origin} cannot be reached: ${cause}`);
  }
}
