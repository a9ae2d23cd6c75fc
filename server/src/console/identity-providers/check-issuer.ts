import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { OpenIdClient } from '#openid/openid-client.ts';
import { OpenIdError } from '#openid/openid-error.ts';
import { requireEffect } from '#outbound/take-effect.ts';

export type CheckEndpointUrl = (text: string) => { ok: true; url: URL } | { ok: false; reason: string };

export interface CheckIssuerDeps {
  readonly openid: OpenIdClient;
  readonly checkEndpointUrl: CheckEndpointUrl;
  /** Whether endpoints in private networks are allowed. Otherwise the issuer must use HTTPS. */
  readonly canReachPrivateEndpoints: boolean;
}

const documentPath = /\/\.well-known\/openid-configuration$/;

/**
 * Fetches an issuer's discovery document and returns the issuer as spelled in the document.
 * @throws ConsoleError 422 on `issuer` if the URL is not allowed or has no usable document, 403 if the tenant is
 * suspended, 429 if the limit of connection tests is exceeded
 */
export async function checkIssuer(
  deps: CheckIssuerDeps,
  { principal, inTenant }: Pick<SignedInContext, 'principal' | 'inTenant'>,
  text: string,
): Promise<string> {
  const { hostname } = requireIssuerUrl(deps, text);
  const { tenantId, userId: actorId } = principal;
  await inTenant((tx) =>
    requireEffect(tx, { effect: 'connection_test', tenantId, actorId, recipient: hostname }),
  );
  return findIssuer(deps, text);
}

type UrlDeps = Omit<CheckIssuerDeps, 'openid'>;

function requireIssuerUrl({ checkEndpointUrl, canReachPrivateEndpoints }: UrlDeps, text: string): URL {
  const verdict = checkEndpointUrl(text.replace(documentPath, ''));
  if (!verdict.ok) throw invalidField('issuer', verdict.reason);
  if (verdict.url.protocol === 'http:' && !canReachPrivateEndpoints)
    throw invalidField('issuer', 'The issuer must be an HTTPS URL');
  return verdict.url;
}

async function findIssuer(
  { openid }: { openid: Pick<OpenIdClient, 'findIssuer'> },
  text: string,
): Promise<string> {
  try {
    return await openid.findIssuer(text.replace(documentPath, ''));
  } catch (error) {
    if (error instanceof OpenIdError) throw invalidField('issuer', `${error.message}. Check the issuer.`);
    throw error;
  }
}

/** Returns an error message for the operator; `null` if the issuer can be used. */
export async function describeIssuerProblem(
  deps: UrlDeps & { readonly openid: Pick<OpenIdClient, 'findIssuer'> },
  text: string,
): Promise<string | null> {
  try {
    requireIssuerUrl(deps, text);
    const issuer = await findIssuer(deps, text);
    return issuer === text ? null : `The provider reports its issuer as ${issuer}. Use this spelling.`;
  } catch (error) {
    if (error instanceof ConsoleError && error.status === 422) return error.message;
    throw error;
  }
}
