import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { OpenIdClient } from '#openid/openid-client.ts';
import { OpenIdError } from '#openid/openid-error.ts';
import { requireEffect } from '#outbound/take-effect.ts';

/** Returns whether the outbound guard accepts the text of a URL. */
export type CheckEndpointUrl = (text: string) => { ok: true; url: URL } | { ok: false; reason: string };

export interface CheckIssuerDeps {
  readonly openid: OpenIdClient;
  readonly checkEndpointUrl: CheckEndpointUrl;
  /** Whether issuers at plain HTTP are accepted, which only private networks should use. */
  readonly canReachPrivateEndpoints: boolean;
}

const documentPath = /\/\.well-known\/openid-configuration$/;

/**
 * Reads the discovery document of an issuer and returns the issuer as the document spells it. Counts as a connection
 * test.
 * @throws ConsoleError 422 on `issuer` for a URL that is not allowed or has no usable document, 429 beyond the limits.
 */
export async function checkIssuer(
  { openid, checkEndpointUrl, canReachPrivateEndpoints }: CheckIssuerDeps,
  { principal, inTenant }: Pick<SignedInContext, 'principal' | 'inTenant'>,
  text: string,
): Promise<string> {
  const issuer = text.replace(documentPath, '');
  const verdict = checkEndpointUrl(issuer);
  if (!verdict.ok) throw invalidField('issuer', verdict.reason);
  const { protocol, hostname } = verdict.url;
  if (protocol === 'http:' && !canReachPrivateEndpoints)
    throw invalidField('issuer', 'The issuer must be an HTTPS URL');
  const { tenantId, userId: actorId } = principal;
  await inTenant((tx) =>
    requireEffect(tx, { effect: 'connection_test', tenantId, actorId, recipient: hostname }),
  );
  try {
    return await openid.findIssuer(issuer);
  } catch (error) {
    if (error instanceof OpenIdError) throw invalidField('issuer', `${error.message}. Check the issuer.`);
    throw error;
  }
}
