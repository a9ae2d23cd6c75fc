import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiError,
  authRoutes,
  type Client,
  createClient,
  domainsRoutes,
  type IdentityProvider,
  identityProvidersRoutes,
  signInsRoutes,
  userIdentitiesRoutes,
} from '@sluice/contract';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn as signInAsAdmin } from '#test/providers/outside-provider.ts';
import { type Lie, type PyopProvider, startPyopProvider } from './openid/pyop-provider.ts';
import type { ProofResult, SkippedProof } from './proof.ts';

const title =
  'an independent OpenID Connect provider signs users in, and its falsified responses are rejected';
const clientId = 'sluice';
const clientSecret = 'secret:of/the+proof';
/** Exceeds the time that the product waits before it requests keys again. */
const keysCooldownMs = 11_000;

/** Signs in at a `pyop` (Python) provider, with correct and with falsified responses. */
export async function proveOpenId(): Promise<ProofResult | SkippedProof> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-openid-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const openid = await startPyopProvider(folder);
  if ('skipped' in openid) return openid;
  cleanup.defer(() => openid.close());
  const env = { SLUICE_WORKERS: '1', LOG_LEVEL: 'silent', SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' };
  const sluice = await createSluice(env);
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const checks = await runChecks({ sluice, openid, provider: await setUp(sluice, openid) });
  return {
    title,
    holds: checks.every(({ isPassed }) => isPassed),
    text: describeChecks(openid.versions, checks),
  };
}

async function setUp(sluice: SluiceProcess, openid: PyopProvider): Promise<IdentityProvider> {
  const admin = await signInAsAdmin(sluice);
  await createClient(domainsRoutes, admin).addDomain({ body: { domain: 'people.test' } });
  const body = { issuer: openid.issuer, client_id: clientId, client_secret: clientSecret };
  const provider = await createClient(identityProvidersRoutes, admin).createIdentityProvider({ body });
  await openid.register({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [provider.redirect_uri],
    post_logout_redirect_uris: [provider.redirect_uri.replace(/callback.*/, '').replace(/\/$/, '')],
  });
  return provider;
}

interface Scene {
  readonly sluice: SluiceProcess;
  readonly openid: PyopProvider;
  readonly provider: IdentityProvider;
}

interface Check {
  readonly name: string;
  readonly result: string;
  readonly isPassed: boolean;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const lies: Readonly<Record<string, () => Lie>> = {
  'wrong nonce': () => ({ claims: { nonce: 'another' } }),
  'wrong issuer': () => ({ claims: { iss: 'https://another.test' } }),
  'wrong audience': () => ({ claims: { aud: 'another-client' } }),
  'expired ID token': () => ({ claims: { exp: nowSeconds() - 61 } }),
  'ID token without a signature': () => ({ alg: 'none' }),
};

async function runChecks(scene: Scene): Promise<Check[]> {
  const { openid } = scene;
  const checks = [await expectStatus('correct response', 200, () => signIn(scene))];
  for (const [name, makeLie] of Object.entries(lies)) {
    await openid.lie(makeLie());
    checks.push(await expectStatus(name, 400, () => signIn(scene)));
  }
  await openid.lie({});
  const used = await authorize(scene);
  await finish(scene, used);
  checks.push(await expectStatus('same response twice', 400, () => finish(scene, used)));
  checks.push(
    await expectStatus('code that was used in another sign-in', 403, () => replayCode(scene, used)),
  );
  await pause(keysCooldownMs);
  await openid.rotateKeys();
  checks.push(await expectStatus('new signing key of the provider', 200, () => signIn(scene)));
  checks.push(await expectStatus('session after a sign-out at both', 401, () => signOut(scene)));
  checks.push(await expectStatus('session after a logout token', 401, () => endAtProvider(scene)));
  return checks;
}

async function expectStatus(name: string, wanted: number, work: () => Promise<unknown>): Promise<Check> {
  const result = await work().then(
    () => ({ status: 200, detail: 'accepted' }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, detail: error.message };
    },
  );
  return { name, result: `${result.status}: ${result.detail}`, isPassed: result.status === wanted };
}

const callerOf = (sluice: SluiceProcess, token?: string) => ({
  baseUrl: sluice.origin,
  headers: (): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

const visitorOf = (sluice: SluiceProcess): Client<typeof signInsRoutes> =>
  createClient(signInsRoutes, callerOf(sluice));

interface Redirected {
  readonly secret: string;
  readonly response: string;
  readonly callback: string;
}

/** Returns the provider's redirect as a browser receives it. */
async function authorize({ sluice, provider }: Scene): Promise<Redirected> {
  const started = await visitorOf(sluice).startSignIn({ body: { identity_provider_id: provider.id } });
  const answer = await fetch(started.authorization_url, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? '');
  const callback = location.pathname.split('/').at(-2) ?? '';
  return { secret: started.secret, response: location.search.slice(1), callback };
}

async function finish({ sluice }: Scene, body: Redirected): Promise<string> {
  const { access_token: token } = await visitorOf(sluice).finishSignIn({ body });
  return token;
}

const signIn = async (scene: Scene) => finish(scene, await authorize(scene));

async function replayCode(scene: Scene, used: Redirected): Promise<void> {
  const next = await authorize(scene);
  const response = new URLSearchParams(next.response);
  response.set('code', new URLSearchParams(used.response).get('code') ?? '');
  await finish(scene, { ...next, response: response.toString() });
}

const readSelf = ({ sluice }: Scene, token: string) =>
  createClient(authRoutes, callerOf(sluice, token)).getCurrentUser();

async function signOut(scene: Scene): Promise<void> {
  const token = await signIn(scene);
  await readSelf(scene, token);
  const { logout_url: url } = await createClient(signInsRoutes, callerOf(scene.sluice, token)).logout();
  const answer = await fetch(url ?? '', { redirect: 'manual' });
  const { pathname } = new URL(answer.headers.get('location') ?? '');
  if (pathname !== '/login') throw new Error(`the provider redirected to ${pathname}`);
  await readSelf(scene, token);
}

async function endAtProvider(scene: Scene): Promise<void> {
  const token = await signIn(scene);
  const { id } = await readSelf(scene, token);
  const { backchannel_logout_uri: uri } = scene.provider;
  await scene.openid.endSessions({ client_id: clientId, sub: await subjectOf(scene, id), uri });
  await readSelf(scene, token);
}

/** Returns the subject from the identity that the sign-in created, since `pyop` derives the subject itself. */
async function subjectOf({ sluice }: Scene, userId: number): Promise<string> {
  const admin = await signInAsAdmin(sluice);
  const [identity] = await createClient(userIdentitiesRoutes, admin).listUserIdentities({
    query: { user_id: userId },
  });
  if (!identity) throw new Error('the user has no identity');
  return identity.subject;
}

function describeChecks(versions: readonly string[], checks: readonly Check[]): string {
  const rows = checks.map(
    ({ name, result, isPassed }) =>
      `| ${name} | ${result.replaceAll('|', '\\|')} | ${isPassed ? 'yes' : '**no**'} |`,
  );
  return `A provider of ${versions.map((version) => `\`${version}\``).join(', ')} is set up in a new installation. It returns the email address only at the userinfo endpoint,
includes no issuer in its redirect, and accepts the client secret by HTTP Basic. False ID tokens have a valid signature, except the unsigned one.

| response | result | as expected |
|---|---|---|
${rows.join('\n')}`;
}
