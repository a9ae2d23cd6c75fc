import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { listenHttp } from '../processes/listen-http.ts';

/** Certified OpenID Connect provider (`oidc-provider`) that signs users in without a page. */
export interface TestOpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets the account of all later sign-ins. Its claims can be changed. */
  signInAs(subject: string, claims: Readonly<Record<string, unknown>>): void;
  visit(url: string): Promise<URL>;
  forgetBrowser(): void;
  rotateKeys(): Promise<void>;
  readonly requests: Map<string, number>;
  close(): Promise<void>;
}

interface Registration {
  readonly redirectUri: string;
  readonly returnUri: string;
  readonly backchannelLogoutUri?: () => string;
  readonly isPublic?: boolean;
  readonly clientKey?: JWK;
}

const clientId = 'sluice';
const clientSecret = 'a client secret of the test';

export async function startOpenIdProvider(registration: Registration): Promise<TestOpenIdProvider> {
  let subject = 'nobody';
  const accounts = new Map<string, Readonly<Record<string, unknown>>>();
  const requests = new Map<string, number>();
  let cookies = new Map<string, string>();
  let serve: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => serve(request, response));
  const { origin, close } = await listenHttp(server);

  const createInstance = async () => {
    const keys = [await makeKey('RS256')];
    const provider = new Provider(origin, configure(registration, keys, accounts));
    const answer = provider.callback();
    serve = (request, response) => {
      const path = new URL(request.url ?? '/', origin).pathname;
      requests.set(path, (requests.get(path) ?? 0) + 1);
      if (path.startsWith('/interaction/')) void interact(provider, request, response, subject);
      else void answer(request, response);
    };
  };
  await createInstance();
  return {
    issuer: origin,
    clientId,
    clientSecret,
    requests,
    signInAs(id, claims) {
      subject = id;
      accounts.set(id, claims);
      cookies = new Map();
    },
    forgetBrowser: () => cookies.clear(),
    visit: (url) => follow(new URL(url), origin, cookies),
    rotateKeys: createInstance,
    close,
  };
}

async function makeKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: crypto.randomUUID() };
}

function configure(
  { redirectUri, returnUri, backchannelLogoutUri, isPublic = false, clientKey }: Registration,
  keys: JWK[],
  accounts: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Configuration {
  const client = {
    client_id: clientId,
    ...(isPublic ? { token_endpoint_auth_method: 'none' as const } : { client_secret: clientSecret }),
    ...(clientKey && {
      token_endpoint_auth_method: 'private_key_jwt' as const,
      jwks: { keys: [clientKey as never] },
    }),
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [returnUri],
    ...(backchannelLogoutUri && {
      backchannel_logout_uri: backchannelLogoutUri(),
      backchannel_logout_session_required: true,
    }),
  };
  return {
    clients: [client],
    jwks: { keys: keys as never },
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          // Submits the form, like a browser when the user clicks the button.
          ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
        },
      },
    },
    // The default dispatcher rejects local addresses, to which the provider sends logout tokens in tests.
    fetch: (url, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
      fetch(url, options),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    ttl: { Interaction: 600, Session: 3_600, Grant: 3_600, AccessToken: 600, IdToken: 600 },
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  accountId: string,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const redirectsMax = 10;

async function follow(url: URL, origin: string, cookies: Map<string, string>): Promise<URL> {
  let at = url;
  for (let count = 0; count < redirectsMax && at.origin === origin; count++) {
    const response = await send(at, cookies);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at.pathname}: ${response.status} ${await response.text()}`);
    at = new URL(location, at);
  }
  return at;
}

/** Submits a form in the response, such as the one on the provider's sign-out page. */
async function send(at: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<Response> {
  const response = await fetch(at, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form && { method: 'POST', body: form }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  if (response.headers.has('location') || form) return response;
  const page = await response.clone().text();
  const [, action, fields = ''] = /<form[^>]*action="([^"]+)"[^>]*>(.*)<\/form>/s.exec(page) ?? [];
  if (action === undefined) return response;
  const inputs = [...fields.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return send(new URL(action), cookies, new URLSearchParams([...inputs, ['logout', 'yes']]));
}
