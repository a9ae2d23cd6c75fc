import { signInPagePath } from '@sluice/contract';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { attemptMs, type SignInsDeps, startSignIn } from './start.ts';
import { findProvider } from './store.ts';

/** Cookie names by protocol. A `__Host-` cookie cannot be set over plain HTTP or by another host in the domain. */
const cookieNames = { 'https:': '__Host-sluice-sign-in', 'http:': 'sluice-sign-in' } as const;

const cookieNameOf = (publicUrl: string) => cookieNames[isSecure(publicUrl) ? 'https:' : 'http:'];

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:');

/**
 * Starts a sign-in and redirects to the provider. The secret is stored in a cookie that only the console's pages
 * send, so that only the browser that started the sign-in can finish it.
 * @throws ConsoleError 403 for a link on another site, which would choose the account that the browser signs in to
 */
export async function redirectToProvider(
  deps: SignInsDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  providerId: number,
): Promise<void> {
  if (ctx.readHeader('sec-fetch-site') === 'cross-site')
    throw new ConsoleError(
      403,
      'A link on another site cannot start a sign-in. Open the sign-in page instead.',
    );
  const { authorization_url: url, secret } = await startSignIn(deps, throttle, ctx, providerId);
  ctx.setHeader('set-cookie', toCookie(deps, secret, attemptMs / 1_000));
  ctx.setHeader('location', url);
}

/**
 * Passes a provider's response to the page that finishes the sign-in and verifies the response. Callback keys are not
 * looked up, so that nobody can probe which keys a tenant uses.
 */
export async function receiveRedirect(
  { database }: Pick<SignInsDeps, 'database'>,
  ctx: Pick<RequestContext, 'setHeader'>,
  { id, query }: { readonly id: string; readonly query: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  if (!id.includes('-') && !(await findProvider(database, Number(id)))) throw notFound('Identity provider');
  const response = new URLSearchParams();
  for (const [name, text] of Object.entries(query)) if (text !== undefined) response.append(name, text);
  ctx.setHeader('location', `${signInPagePath(id)}?${response}`);
}

/** Returns the secret of a sign-in that this browser started by redirect; `null` if this browser started no sign-in. */
export function readSecretCookie(
  { publicUrl }: Pick<SignInsDeps, 'publicUrl'>,
  { readHeader }: Pick<RequestContext, 'readHeader'>,
): string | null {
  const start = `${cookieNameOf(publicUrl)}=`;
  const cookies = (readHeader('cookie') ?? '').split(';').map((one) => one.trim());
  const value = cookies.find((one) => one.startsWith(start))?.slice(start.length);
  return value === undefined || value === '' || value.length > 100 ? null : value;
}

export function dropSecretCookie(
  deps: Pick<SignInsDeps, 'publicUrl'>,
  ctx: Pick<RequestContext, 'setHeader'>,
) {
  ctx.setHeader('set-cookie', toCookie(deps, '', 0));
}

function toCookie(
  { publicUrl }: Pick<SignInsDeps, 'publicUrl'>,
  value: string,
  maxAgeSeconds: number,
): string {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${cookieNameOf(publicUrl)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
